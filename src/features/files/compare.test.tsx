import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { openDialog } from '../../engine/dialogs/index.ts';
import { closeEverything, renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { room } from './index.ts';
import type { TestServer } from '../../engine/form/test-kit.tsx';

room.register?.();

let server: TestServer;
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

const file = (id: number, name: string) => ({ id, name, created_at: '2026-11-21 09:41:00' });

test('the differences of two backups are shown file by file, as text and nothing else', async () => {
  server = await startTestServer(({ path }) => ({
    body: {
      success: true,
      data:
        path === '/files/3/diff/7'
          ? {
              from: file(3, 'monday.tar.gz'),
              to: file(7, 'sunday.tar.gz'),
              equal: 4,
              is_cut: false,
              files: [
                { path: 'etc/config/network', state: 'changed', diff: '@@ -1,1 +1,1 @@\n-lan 1\n+<b>lan 2</b>' },
                { path: 'etc/key', state: 'added', diff: null },
              ],
            }
          : null,
    },
  }));
  await renderConsole(<p>Page</p>);
  act(() => void openDialog('files.compare', { fromId: 3, toId: 7 }));
  const lines = await screen.findByText('+<b>lan 2</b>');
  expect(lines.getAttribute('data-kind')).toBe('added');
  expect(screen.getByRole('heading', { name: 'etc/config/network Changed' })).toBeTruthy();
  expect(screen.getByText('Not text, or too different to compare line by line.')).toBeTruthy();
  expect(screen.getByText('4 files are identical.')).toBeTruthy();
  expect(screen.getByText(/Before: monday\.tar\.gz/)).toBeTruthy();
});
