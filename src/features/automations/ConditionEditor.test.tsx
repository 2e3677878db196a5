import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';
import { ConditionEditor } from './ConditionEditor.tsx';
import type { RuleCondition } from './rule-words.ts';

let server: TestServer;
afterEach(() => server.close());

test('a metric that is named by hand says what becomes of a name that no device reports', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: [], meta: { total: 0 } } }));
  await withTexts(['automations'], async () => undefined)();
  const condition = { parameter: 'door_open', operator: '==', value: '1' };
  await renderConsole(
    <ConditionEditor condition={condition} items={[]} isLast disabled={false} onChange={() => undefined} onRemove={undefined} />,
    '/',
    '/',
  );
  const name = await screen.findByRole('textbox', { name: 'Name of the metric' });
  expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toContain('never meets the condition');
});

test('a comparison of numbers takes a tolerance with a comma or a point; what is no number is kept as typed, to be refused, and an empty field is the usual one', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: [], meta: { total: 0 } } }));
  await withTexts(['automations'], async () => undefined)();
  const changes: RuleCondition[] = [];
  const condition = { parameter: 'rsrp', operator: '<', value: '-110' };
  await renderConsole(
    <ConditionEditor
      condition={condition}
      items={[]}
      isLast
      disabled={false}
      onChange={(changed) => changes.push(changed)}
      onRemove={undefined}
    />,
    '/',
    '/',
  );
  const tolerance = await screen.findByRole('textbox', { name: 'Tolerance' });
  const person = userEvent.setup();
  for (const [entered, kept] of [
    ['2,5', 2.5],
    ['0', 0],
    ['three', 'three'],
  ] as const) {
    await person.clear(tolerance);
    await person.type(tolerance, entered);
    expect(changes.at(-1)?.tolerance).toBe(kept);
  }
  await person.clear(tolerance);
  expect(changes.at(-1)).toEqual(condition);
});
