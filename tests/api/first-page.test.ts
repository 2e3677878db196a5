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

test('a page answers GET and HEAD of any program, the API answers JSON alone, and a missing file is none', async () => {
  using files = makeConsole();
  await using world = await makeWorld({ consoleDir: files.path });
  const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string, accept = '*/*') => {
    const { statusCode, headers } = await world.app.fastify.inject({ method, url, headers: { accept } });
    return `${statusCode} ${String(headers['content-type']).split(';')[0]}`;
  };
  for (const path of ['/', '/management/devices', '/forms/ops/set-apn'])
    expect([await ask('GET', path), await ask('HEAD', path), await ask('GET', path, 'text/html')], path).toEqual(
      Array(3).fill('200 text/html'),
    );
  for (const path of ['/assets/old.js', '/logo.png', '/agent/nothing'])
    expect([await ask('GET', path), await ask('HEAD', path)], path).toEqual(Array(2).fill('404 application/json'));
  for (const accept of ['*/*', 'text/html'])
    expect([await ask('GET', '/api/nothing', accept), await ask('HEAD', '/api/nothing', accept)]).toEqual(
      Array(2).fill('401 application/json'),
    );
  expect(await ask('POST', '/', 'text/html')).not.toContain('text/html');
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
