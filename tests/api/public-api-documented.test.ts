import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeWorld, type World } from '../helpers/world.ts';

// One line for each documented request that a program has been seen to send: what it sends, and how it is answered.

let world: World;
let program: Program;
let ids: Record<'company' | 'device' | 'tag', number>;

beforeAll(async () => {
  world = await makeWorld();
  const { top } = await makeTree(world);
  program = await asProgram(world, 'admin', { company: top });
  const tag = await makeTag(world, { company: top, name: 'ferry' });
  const device = await makeDevice(world, { company: top, tags: [tag] });
  ids = { company: top.id, device: device.id, tag: tag.id };
  await (await as(world, 'super_admin', { company: top })).post('/credits', paid(top.id, 10));
});
afterAll(() => world[Symbol.asyncDispose]());

const filled = (path: string): string =>
  path.replace(/\{(company|device|tag)\}/g, (_, name: 'company' | 'device' | 'tag') => String(ids[name]));

test.each([
  '/user',
  '/companies',
  '/companies/{company}',
  '/devices?limit=1000',
  '/devices?limit=0',
  '/devices?fields=id,name,latitude',
  '/devices?fields_only=true',
  '/devices?monitoring_status=monitored',
  '/devices?task=no_pending_task',
  '/devices?modem_model=EC25',
  '/devices?signal_2=low',
  '/devices?management_credit_type_id=1',
  '/devices?tags=prod&page=1',
  '/devices/{device}',
  '/devices/{device}?fields=id,name',
  '/devices/{device}/logs',
  '/devices/{device}/wireless',
  '/devices/{device}/check/esim-bootstrap',
  '/devices/{device}/port-scan/',
  '/devices/logs',
  '/devices/actions/logs?device_id={device}',
  '/devices/statistics?charts=status',
  '/devices/statistics?charts=modem_model,operator_2,task',
  '/devices/export/csv?limit=5&offset=0',
  '/devices/tags/{tag}/data?parameter=signal&start_date=2026-11-01&end_date=2026-11-22',
  '/devices/companies/{company}/data?parameter=signal&start_date=2026-11-01 00:00:00&end_date=2026-11-22 00:00:00',
  '/devices/updates/pending',
  '/devices/remote-access?device_id={device}',
  '/devices/tasks/groups',
  '/devices/configurator/templates',
  '/devices/passwords/generated/tasks',
  '/tags',
  '/users',
  '/users/invitations',
  '/roles',
  '/permissions',
  '/files',
  '/credits',
  '/credits/codes',
  '/credits/devices',
  '/credits/history',
  '/credits/report/json?company_id={company}&start_date=2026-10-23 21:04:00&end_date=2026-11-22 21:04:00',
  '/statistics/devices/online?company_id={company}&start_date=2026-10-23 21:04:00&end_date=2026-11-22 21:04:00',
  '/email-configurations',
  '/alerts',
  '/alerts-configurations',
  '/automations',
  '/reports',
  '/reports/generated',
  '/hotspots',
  '/wireless',
  '/images',
  '/data-collect/configs',
  '/vpn/hubs',
  '/vpn/hubs/users',
])('GET %s is answered', async (path) => {
  const [address = '', query] = filled(path).split('?');
  const answer = await program.get(address, Object.fromEntries(new URLSearchParams(query)));
  expect([path, answer.status, answer.errors]).toEqual([path, 200, []]);
});

type Write = [method: 'post' | 'put' | 'delete', path: string, body: (known: typeof ids) => unknown, status: number];
const writes: Write[] = [
  ['put', '/devices/{device}', () => ({ description: 'on the quay' }), 200],
  ['put', '/devices/{device}', ({ tag }) => ({ name: 'quay', tag_id: [tag] }), 200],
  ['put', '/devices', ({ device }) => ({ data: [{ id: device, description: 'x', password_confirmation: 'x' }] }), 201],
  ['put', '/devices/tags/assign', ({ device, tag }) => ({ data: [{ device_id: device, tag_id: [tag] }] }), 200],
  ['put', '/devices/monitoring', ({ device }) => ({ data: [{ device_id: device, monitoring_enabled: 1 }] }), 200],
  [
    'put',
    '/devices/monitoring',
    ({ device }) => ({
      data: [
        { device_id: device, monitoring_enabled: 1 },
        { device_id: 99_999_999, monitoring_enabled: 0 },
      ],
    }),
    422,
  ],
  ['post', '/devices/actions', ({ device }) => ({ action: 'update_metrics_data', device_id: [device] }), 200],
  ['post', '/devices/actions', ({ device }) => ({ action: 'download_backup', device_id: [device] }), 200],
  ['post', '/credits/codes', () => ({ amount: 1, credit_type_name: 'credit' }), 201],
  ['post', '/credits/codes', ({ company }) => ({ amount: 1, credit_type_name: 'credit', company_id: company }), 201],
  ['post', '/tags', ({ company }) => ({ name: 'pier', company_id: company }), 201],
  ['post', '/tags', () => ({ company_id: 'x' }), 422],
  ['delete', '/tags/99999999', () => undefined, 404],
];
test.each(writes)('%s %s is answered', async (method, path, body, status) => {
  const answer = await program[method](filled(path), body(ids));
  expect([path, answer.status, answer.text.slice(0, status === answer.status ? 0 : 300)]).toEqual([path, status, '']);
});

test('programs read the number of users as `meta._total` too, and where a specification is at the top of its answer', async () => {
  const { meta } = await program.get('/users');
  expect(meta).toMatchObject({ _total: meta['total'] });
  const router = await makeDevice(world, { company: { id: ids.company }, model: 'RUTX11', firmware: 'RUTX_R_00.07.14.2' });
  const { text } = await program.get(`/devices/configurator/specification?device_id=${router.id}`);
  const url = '/api/devices/configurator/documents/rutos';
  expect(JSON.parse(text)).toEqual({ success: true, url, data: { url } });
});

test('a channel that nobody knows says so at the top and in the list', async () => {
  const answer = await program.get('//status/channel/nothing');
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
    404,
    { code: 'CHANNEL_NOT_FOUND', errors: [{ code: 'CHANNEL_NOT_FOUND' }] },
  ]);
});
