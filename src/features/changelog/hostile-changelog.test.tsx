import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import ChangelogPage from './ChangelogPage.tsx';

const HOSTILE = vi.hoisted(() => '<img src=x onerror="window.ran=1"> [x](javascript:window.ran=1) ');

vi.mock('virtual:canopy-changelog', () => ({
  releases: [{ version: '1 <script>window.ran=1</script>', groups: [{ name: 'Added', items: [`${HOSTILE}\`<b>code</b>\``] }] }],
}));

let server: TestServer;
afterEach(() => server.close());

test('markup in the changelog is text, and only what is between backticks is code [IN1]', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  await renderConsole(<ChangelogPage />);
  const item = screen.getByRole('listitem');
  expect(item.textContent).toContain(HOSTILE);
  expect(item.querySelector('img, a, b, script')).toBeNull();
  expect(item.querySelector('code')?.textContent).toBe('<b>code</b>');
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('1 <script>window.ran=1</script>');
  expect('ran' in window).toBe(false);
});
