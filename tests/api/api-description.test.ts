import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { as, send } from '../helpers/as.ts';
import { createAnswerChecker, type AnsweredCall } from '../helpers/described-answer.ts';
import { makeCompany, makeDevice, makeUser } from '../helpers/factories.ts';
import { worldWithForm } from '../helpers/forms.ts';
import { makeRecords, pathWithId } from '../helpers/route-samples.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const GENERATE = fileURLToPath(new URL('../helpers/generate-client.ts', import.meta.url));

async function readDescription(world: World): Promise<string> {
  const { text } = await (await as(world, 'super_admin')).get('/docs/json');
  return text;
}

/** Operations of the generated client that are called here. */
interface GeneratedClient {
  listDevices(options: object): Promise<GeneratedAnswer<{ name: string }[]>>;
  createTag(options: object): Promise<GeneratedAnswer<{ id: number; name: string }>>;
}
interface GeneratedAnswer<T> {
  data?: { data: T; meta: { total: number } };
  error?: { message: string; errors: { code: string; source: string }[] };
  response: Response;
}

async function generateClient(description: string, folder: string): Promise<GeneratedClient> {
  const file = join(folder, 'description.json');
  writeFileSync(file, description);
  await promisify(execFile)(process.execPath, [GENERATE, file, join(folder, 'client')]);
  return import(join(folder, 'client', 'index.ts'));
}

test('a linter of API descriptions finds no error [CJ1]', async () => {
  await using world = await makeWorld();
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: await readDescription(world), config });
  expect(problems.filter(({ severity }) => severity === 'error').map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('operations have names of their own, and each says its real status [CJ1]', async () => {
  await using world = await makeWorld();
  const { paths } = JSON.parse(await readDescription(world));
  const operations: { operationId: string; responses: object }[] = Object.values<object>(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*[A-Za-z]$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining(['listDevices', 'createDevice', 'getDevice', 'updateDevice', 'createTag', 'deleteTag', 'getOwnUser']),
  );
  expect(Object.keys(paths['/api/tags'].post.responses)).toEqual(expect.arrayContaining(['201', '401', '403', '422', '429']));
  expect(operations.filter(({ responses }) => '2XX' in responses)).toEqual([]);
});

/** Calls that need more than the id of a record, by the path of their route. */
function samplePaths(records: Record<string, number>): Record<string, string> {
  const device = records['devices'];
  const field = encodeURIComponent(`${records['data-collect/configs']}:/file/proc/loadavg:load`);
  return {
    '/api/devices/map': '/api/devices/map?zoom=3',
    '/api/devices/trends': `/api/devices/trends?id=${device}`,
    '/api/devices/collected': `/api/devices/collected?id=${device}&field=${field}`,
    '/api/devices/device-vpn-status': `/api/devices/device-vpn-status?device_id=${device}`,
    '/api/devices/configurator/specification': `/api/devices/configurator/specification?device_id=${device}`,
    '/api/devices/configurator/documents/:system': '/api/devices/configurator/documents/openwrt',
    '/api/data-collect/data/graph': `/api/data-collect/data/graph?field=${field}`,
    '/api/data-collect/data/values': `/api/data-collect/data/values?field=${field}`,
    '/api/remote/terms': `/api/remote/terms?device=${device}`,
    '/api/vpn/hubs/users/config': `/api/vpn/hubs/users/config?id=${records['vpn/hubs/users']}`,
    '/status/channel/:channel': `/status/channel/jobs.${records['jobs']}`,
    '/api/forms/:room/:name': '/api/forms/ops/set-apn',
    '/api/forms/:room/:name/versions': '/api/forms/ops/set-apn/versions',
    '/api/forms/:room/:name/versions/:number': '/api/forms/ops/set-apn/versions/1',
    '/api/forms/:room/:name/deliveries': '/api/forms/ops/set-apn/deliveries',
  };
}

/** Calls that answer nothing here, because what they are about is only made by tests of their own. */
const ANSWERS_NOTHING = [
  '/api/account/access-tokens/:id',
  '/api/account/terms',
  '/api/account/authorize',
  '/status/channel/companies.:id.removal',
  '/api/devices/configurator/specification',
  '/status/channel/vpn-hubs.:id.:part',
  '/api/vpn/quick-hubs/:id/users/config',
  '/status/channel/remote-sessions.:id',
  '/status/channel/remote-entries.:ids',
  '/status/channel/done.:ids',
  '/api/devices/collected',
  '/api/system/serial-numbers/:id',
  '/status/channel/devices-added.:id',
  '/api/notifications/rules/:id',
  '/api/system/announcements/:id',
  '/api/system/mailbox/:id',
];

test('members of every answer are what the description says, and it names them all [CJ1]', async () => {
  const { world, company, admin } = await worldWithForm();
  await using _end = world;
  const records = await makeRecords(world, company);
  const { secret } = await makeAccessToken(world, { user: admin.user, scopes: [...permissionNames] });
  const description = await readDescription(world);
  const samples = samplePaths(records);
  const calls: AnsweredCall[] = [];
  const silent: string[] = [];
  for (const route of world.app.routes.filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)) {
    const path = samples[route.path] ?? pathWithId(route, records) ?? route.path;
    const below = path.startsWith('/api') ? path.slice('/api'.length) : `/${path}`;
    const headers = route.tokens === 'none' ? admin.headers : { authorization: `Bearer ${secret}` };
    const { status, text } = await send(world, 'GET', below, { headers });
    if (status === 200) calls.push({ method: 'GET', path: route.path.replace(/:(\w+)/g, '{$1}'), status, text });
    else silent.push(route.path);
  }
  expect(silent).toEqual(ANSWERS_NOTHING);
  // Only now: compiling the schemas keeps the server waiting, which then refuses calls as overloaded.
  const check = createAnswerChecker(JSON.parse(description));
  expect(calls.flatMap(check)).toEqual([]);
});

test('a generated client lists devices, creates a tag and reads which field was wrong [CJ1]', async () => {
  await using world = await makeWorld({ listen: true });
  const company = await makeCompany(world);
  await makeDevice(world, { company, name: 'quay-1' });
  const user = await makeUser(world, { role: 'admin', company });
  const { secret } = await makeAccessToken(world, { user, scopes: ['view_devices', 'view_tags', 'create_tags'] });
  const folder = mkdtempSync(join(tmpdir(), 'canopy-client-'));
  try {
    const client = await generateClient(await readDescription(world), folder);
    const options = { baseUrl: world.url, auth: secret };
    const devices = await client.listDevices({ ...options, query: { limit: '10' } });
    expect(devices.data).toMatchObject({ data: [{ name: 'quay-1' }], meta: { total: 1 } });
    const tag = await client.createTag({ ...options, body: { name: 'ferry', company_id: company.id } });
    expect(tag.data?.data).toMatchObject({ name: 'ferry' });
    const refused = await client.createTag({ ...options, body: { name: '', company_id: company.id } });
    expect(refused.response.status).toBe(422);
    expect(refused.error).toMatchObject({ message: expect.any(String), errors: [{ source: 'name' }] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
