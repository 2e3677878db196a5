import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { chooseOption } from '../../ui/test-kit.ts';
import { renderConsole, startTestServer } from '../form/test-kit.tsx';
import { ReadingsChart } from './ReadingsChart.tsx';

const POINT = { created_at: '2026-03-01 10:00:00', minimum: 210, maximum: 250, average: 230, devices_count: 3 };
const SERIES = { start_date: '2026-03-01 00:00:00', end_date: '2026-03-02 00:00:00', step_seconds: 900, points: [POINT] };

test('readings are drawn and written in the unit of what is chosen, of the route that is given', async () => {
  const server = await startTestServer(({ query }) => ({
    body: { success: true, data: query['parameter'] === 'signal' ? { ...SERIES, points: [] } : SERIES },
  }));
  await renderConsole(<ReadingsChart path="/companies/7/series" />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('radio', { name: 'Table' }));
  const row = await screen.findByRole('row', { name: /10:07/ });
  expect(row.textContent).toContain('21 °C');
  expect(row.textContent).toContain('25 °C');
  await chooseOption(user, screen.getByRole('combobox', { name: 'Reading' }), 'Signal');
  expect(await screen.findByText('No readings in this period.')).toBeTruthy();
  expect(server.calls.map(({ path }) => path)).toEqual(['/companies/7/series', '/companies/7/series']);
  await server.close();
});
