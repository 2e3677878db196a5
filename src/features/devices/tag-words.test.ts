import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadTexts, startI18n } from '../../kernel/i18n/index.ts';
import { tagWords } from './tag-words.ts';

let server: TestServer;
afterEach(() => server.close());

async function serve(tags: { id: number; name: string }[]): Promise<void> {
  server = await startTestServer(() => ({ body: { success: true, data: tags, meta: { total: tags.length } } }));
  await startI18n('en');
  await loadTexts('lists');
}

test('a toast names the tags that were added or removed, and how many devices', async () => {
  await serve([
    { id: 3, name: 'canary' },
    { id: 4, name: 'ferry' },
  ]);
  expect(await tagWords('devices/assign-tags', { tag_id: [3, 4] }, 2)).toBe('canary, ferry added to 2 devices');
  expect(await tagWords('devices/unassign-tags', { tag_id: [3, 4] }, 1)).toBe('canary, ferry removed from 1 device');
});

test('a toast names neither many tags nor those that are not seen', async () => {
  await serve([{ id: 3, name: 'canary' }]);
  expect(await tagWords('devices/assign-tags', { tag_id: [3, 4] }, 2)).toBeUndefined();
  expect(await tagWords('devices/assign-tags', { tag_id: [1, 2, 3, 4] }, 2)).toBeUndefined();
});
