import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { loadTexts } from '../../kernel/i18n/index.ts';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import BalancePreview from './BalancePreview.tsx';

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

const ROWS = [
  { id: 1, company_id: 7, credit_type_id: 2, credit_left: 40 },
  { id: 2, company_id: 7, credit_type_id: 2, credit_left: 20 },
  { id: 3, company_id: 7, credit_type_id: 1, credit_left: 5 },
  { id: 4, company_id: 8, credit_type_id: 2, credit_left: 900 },
];

async function show(formId: string, data: Record<string, string | number>): Promise<string | null> {
  server = await startTestServer(() => ({ body: { success: true, data: ROWS, meta: { total: ROWS.length } } }));
  await renderConsole(<BalancePreview formId={formId} id={undefined} data={data} setValue={() => undefined} />);
  await loadTexts('credits');
  return (await screen.findByText(/left/)).textContent;
}

test('what is left, what is bought and what is left afterwards are beside the amount', async () => {
  expect(await show('companies/data', { company_id: 7, credits: '5' })).toBe('60 left · 5 credits = 10 GB · 55 left afterwards');
});

test('free resources are counted apart from paid ones', async () => {
  expect(await show('credits/move', { source: 7, credit_type_name: 'credit_free', amount: 2 })).toBe('5 left · 3 left afterwards');
});

test('more than there is is refused while it is typed', async () => {
  expect(await show('companies/data', { company_id: 7, credits: '9999' })).toBe('Only 60 left. Enter a smaller amount.');
});
