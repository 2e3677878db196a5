import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { loadTexts } from '../../kernel/i18n/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import PresentResources from './PresentResources.tsx';

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

interface Assigned {
  device_id: number;
  state: 'reserved' | 'running';
  expire_at: string | null;
}

async function show(devices: number[], assigned: Assigned[], words: RegExp): Promise<string | null> {
  const data = assigned.map((row, id) => ({ ...row, id, credit_type: null, credit_type_name: 'credit', auto_extend_credit: false }));
  server = await startTestServer(({ path }) =>
    path === '/user'
      ? { body: { success: true, data: { id: 1, permissions: ['view_credits'] } } }
      : { body: { success: true, data, meta: { total: data.length } } },
  );
  await loadUser();
  await renderConsole(<PresentResources formId="devices/credit" id={undefined} devices={devices} data={{}} setValue={() => undefined} />);
  await loadTexts('credits');
  return (await screen.findByText(words)).textContent;
}

test('a device without a resource is said to have none', async () => {
  expect(await show([4], [], /now/)).toBe('No resource is assigned now.');
});

test('the resource that runs is named before one that is reserved, with its end', async () => {
  const assigned: Assigned[] = [
    { device_id: 4, state: 'reserved', expire_at: null },
    { device_id: 4, state: 'running', expire_at: '2026-12-24 12:00:00' },
  ];
  expect(await show([4], assigned, /^Now/)).toMatch(/^Now: .+ until 2026-12-24/);
});

test('of several devices it is said how many have one', async () => {
  const assigned: Assigned[] = [
    { device_id: 4, state: 'running', expire_at: null },
    { device_id: 4, state: 'reserved', expire_at: null },
  ];
  expect(await show([4, 5, 6], assigned, /chosen/)).toBe('1 of 3 chosen devices have a resource now.');
});
