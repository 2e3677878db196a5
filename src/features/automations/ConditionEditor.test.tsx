import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';
import { ConditionEditor } from './ConditionEditor.tsx';

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
