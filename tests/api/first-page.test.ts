import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeConsole, page, PAGE } from '../helpers/console-folder.ts';
import { makeWorld } from '../helpers/world.ts';

test('of the texts that are fetched ahead only those of the language at hand are named', async () => {
  using files = makeConsole();
  const link = (language: string): string => `<link rel="modulepreload" href="/assets/${language}.js" data-language="${language}">`;
  writeFileSync(join(files.path, 'index.html'), PAGE.replace('<head>', `<head>${link('en')}${link('nb')}`));
  await using world = await makeWorld({ consoleDir: files.path });
  expect((await page(world, '/', { 'accept-language': 'nb' })).text.match(/data-language="\w+"/g)).toEqual(['data-language="nb"']);
});

test('reads that need a session are named only to people who have one', async () => {
  using files = makeConsole();
  writeFileSync(
    join(files.path, 'index.html'),
    PAGE.replace('<head>', '<head><link rel="preload" as="fetch" crossorigin="use-credentials" href="/api/user" data-session>'),
  );
  await using world = await makeWorld({ consoleDir: files.path });
  const { headers } = await as(world, 'admin');
  const named = async (sent = {}): Promise<boolean> => (await page(world, '/tags', sent)).text.includes('href="/api/user"');
  expect([await named(headers), await named()]).toEqual([true, false]);
});
