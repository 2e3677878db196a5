import { afterAll, beforeAll, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import type { ObjectForm, JsonSchema } from '../../schemas/kit/form/types.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { makeRecords } from '../helpers/route-samples.ts';
import type { World } from '../helpers/world.ts';
import { launchBrowser, type WatchedPage, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

/** Texts that run where they are taken for HTML, an attribute, an address or a style. */
const CORPUS = [
  `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>`,
  `'-alert(1)-'</title></textarea><svg onload=window.ran=1>`,
  `javascript:window.ran=1`,
  `#fff;background:url(javascript:window.ran=1)`,
  `{{constructor.constructor('window.ran=1')()}}`,
];
/** The caller's own account, and what ends its session. */
const OWN_ROOMS = new Set(['account', 'mfa', 'set-up', 'impersonation']);

let world: World;
let browser: Browser;
let root: Caller;
let watched: WatchedPage;
let records: Record<string, number>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: `Top ${CORPUS[0]}` });
  records = await makeRecords(world, company, CORPUS[0]);
  root = await as(world, 'super_admin', { company });
  browser = await launchBrowser();
  watched = await openOwn();
});

/** A page of the caller's session. */
const openOwn = (): Promise<WatchedPage> => openAs(browser, world, root, 'en-GB');

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const isText = (schema: JsonSchema | undefined): boolean => schema?.type === 'string' && schema.enum === undefined;

/** The form's path with the record of its collection in it; undefined where there is none. */
function pathOf({ submit }: ObjectForm): string | undefined {
  const [collection = ''] = submit.path.slice(1).split('/{id}');
  if (!submit.path.includes('{id}')) return submit.path;
  const id = records[collection];
  return id === undefined ? undefined : submit.path.replace('{id}', String(id));
}

/** The example with what exists in the places of its numbers. */
function bodyOf({ examples }: ObjectForm): Record<string, unknown> {
  const kinds: Record<string, string> = {
    company_id: 'companies',
    parent_id: 'companies',
    tag_id: 'tags',
    user_id: 'users',
    role_id: 'roles',
  };
  const known = Object.entries(kinds).filter(([field]) => examples[0] && field in examples[0]);
  const ids = known.map(([field, kind]) => [field, Array.isArray(examples[0]?.[field]) ? [records[kind]] : records[kind]]);
  return { ...examples[0], ...Object.fromEntries(ids) };
}

test('every text field of every form takes hostile text as text, or refuses it [IN1]', async () => {
  const forms = Object.entries(loadContract().forms).filter(
    ([id, form]) => !OWN_ROOMS.has(id.split('/')[0] ?? '') && form.submit.method !== 'DELETE' && form.submit.payload === undefined,
  );
  const kept: string[] = [];
  for (const [id, form] of forms) {
    const path = pathOf(form);
    const fields = Object.entries(form.schema.properties ?? {}).filter(([, schema]) => isText(schema));
    if (path === undefined) continue;
    for (const [field] of fields) {
      for (const text of CORPUS) {
        const body = { ...bodyOf(form), [field]: text };
        const answer = await send(world, form.submit.method, path, { body, headers: root.headers });
        expect([id, field, text, answer.status >= 500]).toEqual([id, field, text, false]);
        if (answer.status < 300) kept.push(`${id} ${field}`);
      }
    }
  }
  expect(new Set(kept).size, `kept: ${[...new Set(kept)].join(', ')}`).toBeGreaterThan(10);
});

const lists = resources.flatMap(({ routes }) => ('list' in routes ? [routes.list] : []));

test('no page runs what is stored, and the content policy has nothing to report [IN1]', async () => {
  const { page } = watched;
  const shows = [`/devices/${records['devices']}`, `/tag/${records['tags']}`, `/companies/${records['companies']}/users`];
  const others = [
    `/users/roles/${records['roles']}`,
    `/users/${records['users']}/access`,
    '/companies/tree',
    '/branding',
    '/account/settings',
  ];
  const paths = [...lists, ...shows, ...others];
  const sessions = [watched, ...(await Promise.all([openOwn(), openOwn()]))];
  await Promise.all(
    sessions.map(async (session) => {
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
        await session.page.goto(`${world.url}${path}`);
        await session.page.getByRole('heading', { level: 1 }).first().waitFor();
        await session.page.waitForLoadState('networkidle');
        expect([path, await session.page.evaluate(() => 'ran' in window)]).toEqual([path, false]);
        expect([path, session.faults()]).toEqual([path, []]);
      }
    }),
  );
  await page.keyboard.press('/');
  await page.keyboard.type('onerror');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(watched.faults()).toEqual([]);
});
