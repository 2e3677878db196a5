import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { as, asUser } from '../helpers/as.ts';
import { makeConsole, page, PAGE } from '../helpers/console-folder.ts';
import { makeCompany, makeRole, makeUser } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

test('of the texts that are fetched ahead only those of the language at hand are named', async () => {
  using files = makeConsole();
  const link = (language: string): string => `<link rel="modulepreload" href="/assets/${language}.js" data-language="${language}">`;
  writeFileSync(join(files.path, 'index.html'), PAGE.replace('<head>', `<head>${link('en')}${link('nb')}`));
  await using world = await makeWorld({ consoleDir: files.path });
  expect((await page(world, '/', { 'accept-language': 'nb' })).text.match(/data-language="\w+"/g)).toEqual(['data-language="nb"']);
});

test('of the records that are fetched ahead only those of the page at hand are named, and only to whoever is signed in', async () => {
  using files = makeConsole();
  const link = (list: string): string => `<link rel="preload" as="fetch" href="/api/x" data-list="${list}">`;
  writeFileSync(join(files.path, 'index.html'), PAGE.replace('<head>', `<head>${link('*')}${link('/tags')}${link('/users')}`));
  await using world = await makeWorld({ consoleDir: files.path });
  const { headers } = await as(world, 'admin');
  const named = async (path: string, sent = {}): Promise<string[]> =>
    [...(await page(world, path, sent)).text.matchAll(/data-list="([^"]+)"/g)].map(([, list]) => String(list));
  expect(await named('/tags', headers)).toEqual(['*', '/tags']);
  expect(await named('/tags?q=a', headers)).toEqual(['*']);
  expect(await named('/login', headers)).toEqual(['*']);
  expect(await named('/tags')).toEqual([]);
});

test('IN1 what a page begins with comes in it as data that ends no element, with the rights of whoever asks', async () => {
  using files = makeConsole();
  const link = (path: string): string => `<link rel="preload" as="fetch" href="/api${path}" data-list="*">`;
  writeFileSync(
    join(files.path, 'index.html'),
    PAGE.replace('<head>', `<head>${link('/companies?limit=5&amp;offset=0')}${link('/nothing')}`),
  );
  await using world = await makeWorld({ consoleDir: files.path });
  const own = await makeCompany(world, { name: '</script><script>alert(1)</script>$&' });
  const foreign = await makeCompany(world);
  const { headers } = await asUser(world, await makeUser(world, { company: own }));
  const { text } = await page(world, '/companies', { ...headers, 'sec-fetch-site': 'cross-site', 'if-none-match': '*' });
  const [, data = ''] = /<script type="application\/json" id="first-answers">(.*?)<\/script>/.exec(text) ?? [];
  const answers: Record<string, { data: { name: string }[] }> = JSON.parse(data);
  expect(Object.keys(answers)).toEqual(['/companies?limit=5&offset=0']);
  expect(answers['/companies?limit=5&offset=0']?.data.map(({ name }) => name)).toEqual([own.name]);
  expect(text).not.toContain(foreign.name);
  expect(text.match(/href="\/api[^"]*"/g)).toEqual(['href="/api/nothing"']);
  expect((await page(world, '/companies')).text).not.toContain('first-answers');
});

test('a list that the person may not see is neither asked for nor named, so that the history tells of no attempt', async () => {
  using files = makeConsole();
  const link = (path: string, list: string, needs = ''): string =>
    `<link rel="preload" as="fetch" href="/api${path}" data-list="${list}"${needs}>`;
  const links = [link('/user', '*'), link('/tags?limit=5', '/tags', ' data-needs="view_tags"')];
  writeFileSync(join(files.path, 'index.html'), PAGE.replace('<head>', `<head>${links.join('')}`));
  await using world = await makeWorld({ consoleDir: files.path });
  const company = await makeCompany(world);
  const role = await makeRole(world, { company, permissions: ['view_devices'] });
  const stranger = await asUser(world, await makeUser(world, { company, role }));
  const { text } = await page(world, '/tags', stranger.headers);
  expect(text).toContain('"/user":');
  expect(text).not.toContain('/tags?limit');
  const denied = () => world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'account.denied').execute();
  expect(await denied()).toEqual([]);
  const reader = await as(world, 'admin', { company });
  expect((await page(world, '/tags', reader.headers)).text).toContain('"/tags?limit=5":');
  // The history does tell of one who asks.
  expect((await stranger.get('/tags')).status).toBe(403);
  await until('the row', async () => (await denied()).length === 1);
});
