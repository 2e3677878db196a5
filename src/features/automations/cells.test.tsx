import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getResource } from '../../engine/resources/all.ts';
import { startI18n, withTexts } from '../../kernel/i18n/index.ts';
import { ActionsCell } from './cells.tsx';

vi.mock(import('../../kernel/session/index.ts'), async (original) => ({ ...(await original()), can: () => true }));

test('an action that is a job says that it was started, and leads to the job', async () => {
  await startI18n('en');
  await withTexts(['automations'], async () => undefined)();
  const value = [
    { name: 'Reboot', status: 'ok', message: null, job_id: 7 },
    { name: 'AddTag', status: 'ok', message: null, job_id: null },
  ];
  render(
    <ActionsCell
      value={value}
      row={{ id: 1 }}
      resource={getResource('automation-logs')}
      column={{ key: 'actions' }}
      link={(content) => content}
    />,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Reboot job started', 'Add tag done']);
  expect(screen.getByRole('button', { name: 'Reboot: job started' })).toBeTruthy();
});
