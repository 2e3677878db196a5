import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { place, startJob } from '../helpers/jobs.ts';

const path = (form: string) => `/forms/devices/${form}/run`;

test('a form that ships and starts a device job is sent as an added one: every value an argument of its own', async () => {
  const { world, devices, admin } = await place(1);
  await using _end = world;
  const [device] = devices;
  const body = { tool: 'ping', host: '192.0.2.1', count: 2, device_id: [device?.id] };
  const { status } = await startJob(world, admin, path('network-tools'), body);
  expect(status).toBe(200);
  const sent = world.commands.at(-1)?.command;
  expect(sent).toMatchObject({ verb: 'watch' });
  expect(sent?.body).toMatch(/'?sh'? '?-c'? .* '?sh'? '?ping'? '?192\.0\.2\.1'? '?2'?/s);
});

test('a host that is more than a name or an address is refused at its field [IN1]', async () => {
  const { world, devices, admin } = await place(1);
  await using _end = world;
  for (const host of ['$(reboot)', '-f', 'a b', "a'b", 'a;b']) {
    const answer = await admin.post(path('network-tools'), { tool: 'look-up', host, device_id: [devices[0]?.id] });
    expect([host, answer.status, answer.errors[0]?.source]).toEqual([host, 400, 'host']);
  }
  expect(world.commands).toEqual([]);
});

test('sites are blocked by a list that replaces the one before', async () => {
  const { world, devices, admin } = await place(1);
  await using _end = world;
  const hosts = ['games.example.com', 'video.example.com'];
  await startJob(world, admin, path('site-blocking'), { mode: 'deny', hosts, device_id: [devices[0]?.id] });
  expect(world.commands.at(-1)?.command.body).toMatch(/deny'? '?games\.example\.com'? '?video\.example\.com/);
});

test('the password of a dynamic DNS rule is in the command alone, not in the job [SE4]', async () => {
  const { world, devices, admin } = await place(1);
  await using _end = world;
  const rule = { name: 'office', enabled: true, service: 'dyndns.org', host: 'quay.example.com', username: 'harbour', source: 'network' };
  const body = { ...rule, password: 'change-me-1', check_minutes: 10, force_hours: 72, device_id: [devices[0]?.id] };
  const { meta } = await startJob(world, admin, path('dynamic-dns'), body);
  expect(world.commands.at(-1)?.command.body).toContain('change-me-1');
  expect(JSON.stringify((await admin.get(`/jobs/${meta['job_id']}`)).data)).not.toContain('change-me-1');
});

test('nobody without the right to make devices do something sends such a form [AC1]', async () => {
  const { world, devices, company } = await place(1);
  await using _end = world;
  const guest = await as(world, 'read_only', { company });
  expect((await guest.post(path('network-tools'), { tool: 'neighbours', device_id: [devices[0]?.id] })).status).toBe(403);
});
