import { beforeAll, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer, startJob, statesOf } from '../helpers/jobs.ts';
import { filePart, multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const router = (more: object = {}) => makeDevice(world, { company, model: 'RUTX50', ...more });
const commandsOf = (device: { device_key: string }) =>
  world.commands.filter((sent) => sent.deviceKey === device.device_key).map(({ command }) => command);

test('a speed test lets its device alone load the bytes and send as many, once it is at it, and keeps none of them', async () => {
  const device = await router({ wan_state: 'Mobile' });
  const body = { device_id: [device.id], megabytes: 1 };
  const preview = await admin.post('/devices/speed-test', { ...body, dry_run: true });
  expect(preview.data.warnings).toEqual([{ code: 'MOBILE_DATA', params: { count: 1, megabytes: 2 } }]);
  const { meta } = await startJob(world, admin, '/devices/speed-test', body);
  const command = commandsOf(device).at(-1);
  expect([command?.verb, command?.body]).toEqual(['speed', 'megabytes=1\n']);
  const url = `/device-files/${command?.id}`;
  const get = (key: string) => world.app.fastify.inject({ url: `/api${url}`, headers: { authorization: basic(key) } });
  const basic = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;
  expect((await get((await router()).device_key)).statusCode).toBe(404);
  const loaded = await get(device.device_key);
  expect([loaded.statusCode, loaded.rawPayload.length]).toEqual([200, 1024 * 1024]);
  const before = (await admin.get('/files')).meta['total'];
  const sent = (size: number) => ({
    body: multipartBody([filePart('x'.repeat(size), 'sample')]),
    headers: multipartHeaders({ authorization: basic(device.device_key) }),
  });
  expect((await send(world, 'POST', url, sent(1024 * 1024))).status).toBe(200);
  expect((await send(world, 'POST', url, sent(1024 * 1024 + 1))).status).toBe(404);
  expect((await admin.get('/files')).meta['total']).toBe(before);
  await answer(world, device, { output: 'Download: 90.0 Mbit/s\n' });
  expect(await statesOf(admin, meta['job_id'])).toEqual(['ok']);
  expect((await get(device.device_key)).statusCode).toBe(404);
});

test('a packet capture is one command with its limits, then the file, whatever ended it; a filter that could leave its quotes is refused', async () => {
  const device = await router();
  const body = { device_id: [device.id], interface: 'br-lan', seconds: 30, megabytes: 2, filter: 'port 53' };
  const { meta } = await startJob(world, admin, '/devices/capture', body);
  expect(commandsOf(device)[0]?.body).toBe(
    "umask 077 && rm -f /tmp/canopy-capture.pcap && ulimit -f 4096 && timeout 30 tcpdump -i 'br-lan' -n -U -w /tmp/canopy-capture.pcap 'port 53'",
  );
  await answer(world, device, { state: 'failed', code: 124 });
  const command = commandsOf(device).at(-1);
  const authorization = `Basic ${Buffer.from(`${device.device_key}:secret`).toString('base64')}`;
  const given = { body: multipartBody([filePart('packets', 'x')]), headers: multipartHeaders({ authorization }) };
  expect((await send(world, 'POST', `/device-files/${command?.id}`, given)).status).toBe(200);
  await answer(world, device, {});
  await answer(world, device, { state: 'failed', code: 1 });
  expect(await statesOf(admin, meta['job_id'])).toEqual(['ok']);
  expect(commandsOf(device).map(({ verb }) => verb)).toEqual(['run', 'send', 'run']);
  expect((await admin.get('/files', { device_id: device.id })).data).toMatchObject([
    { type: 'custom_file', name: expect.stringMatching(/^capture-.*\.pcap$/) },
  ]);
  for (const filter of ["port 53'; reboot; '", 'a$(reboot)', 'a\nb', '`reboot`'])
    expect((await admin.post('/devices/capture', { ...body, filter })).errors[0]?.source).toBe('filter');
});
