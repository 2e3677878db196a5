import { screen, waitFor } from '@testing-library/react';
import { releases } from 'virtual:canopy-changelog';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { settings } from '../../kernel/settings/index.ts';
import ChangelogPage, { marksOf, newMarks } from './ChangelogPage.tsx';

let server: TestServer;
afterEach(() => server.close());

test('shows what CHANGELOG.md says, and marks what came since the last visit', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  const [first, ...others] = marksOf(releases);
  await settings.set('changelog_seen', others);
  await renderConsole(<ChangelogPage />);
  expect(screen.getByRole('heading', { name: releases[0]?.version ?? '' })).toBeTruthy();
  expect(screen.getAllByText('New')).toHaveLength(1);
  await waitFor(() => expect(settings.get('changelog_seen')).toEqual([first, ...others]));
});

test('nothing is new at the first visit', () => {
  const one = [{ version: '1', groups: [{ name: '', items: ['A line'] }] }];
  expect(newMarks(one, undefined).size).toBe(0);
  expect(newMarks(one, []).size).toBe(1);
});
