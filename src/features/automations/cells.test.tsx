import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { getResource } from '../../engine/resources/all.ts';
import { startI18n, withTexts } from '../../kernel/i18n/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { ActionsCell } from './cells.tsx';

let server: TestServer;
afterEach(() => server.close());

test('an action that is a job says that it was started, and leads to the job', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: { id: 1, permissions: ['view_device_actions'] } } }));
  await loadUser();
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
