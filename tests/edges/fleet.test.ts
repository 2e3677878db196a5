import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { MOODS } from '../../agent/fleet/device-behaviours.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { eventually } from './agent-machine.ts';
import { AgentWorld, commandText } from './agent-world.ts';

const QUICK = { rebootSeconds: [0.2, 0.5] as const, seed: 'test', code: 'K7QM' };

test('50 devices with every mood enrol, say hello as simulated ones and report', async () => {
  await using world = await AgentWorld.start({ devices: 50 });
  const moods = Object.fromEntries(MOODS.map((mood) => [mood, mood === 'good' ? 5 : 1]));
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 50, moods });
  expect(fleet.counts()).toMatchObject({ devices: 50, enrolled: 50 });
  expect(new Set(fleet.devices.map((device) => device.mood))).toEqual(new Set(MOODS));
  expect(world.enrolments).toHaveLength(50);
  expect(world.enrolments[0]?.body).toMatchObject({
    code: 'K7QM',
    serial: expect.stringMatching(/^\d{10}$/),
    mac: expect.stringMatching(/^00:1E:42(:[0-9A-F]{2}){3}$/),
  });
  const hellos = await eventually('50 devices said hello', () => {
    const heard = world.heard.filter((m) => m.topic === 'up/hello');
    return new Set(heard.map((m) => m.device)).size === 50 && heard;
  });
  for (const { json } of hellos)
    expect(json).toMatchObject({ v: 1, os: 'Canopy simulated device', agent: 'canopy-fleet/1', boot_id: expect.any(String) });
  const mobile = await world.hear('a status with a modem', (m) => m.topic === 'up/status' && m.json['signal'] !== undefined);
  expect(mobile.json).toMatchObject({
    uptime: expect.any(Number),
    wan_state: 'Mobile',
    operator: expect.any(String),
    sim_slot: 1,
    imsi: expect.stringMatching(/^\d{15}$/),
  });
  const telemetry = await world.hear('telemetry', (m) => m.topic === 'up/telemetry');
  expect(telemetry.json).toEqual({ at: expect.any(Number), values: { processes: expect.any(Number), disk_used_kb: expect.any(Number) } });
});

test('a duplicate has the serial number of another device and a MAC of its own, and enrols after it [DV2]', async () => {
  await using world = await AgentWorld.start({ devices: 10 });
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 10, moods: { good: 9, duplicate: 1 } });
  const copy = fleet.devices.find((device) => device.mood === 'duplicate');
  const twins = world.enrolments.map(({ body }) => body).filter((body) => body['serial'] === copy?.identity.serial);
  expect(twins).toHaveLength(2);
  expect(twins[1]?.['mac']).toBe(copy?.identity.mac);
  expect(twins[0]?.['mac']).not.toBe(copy?.identity.mac);
});

test('a simulated router takes what forms send: quoted words, settings that are kept, commands joined by &&', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 1, moods: 'good' });
  await world.hello();
  const line = `'uci' 'set' 'network.mob1s1a1.apn=it'\\''s; a && b' && 'uci' 'commit' 'network' && 'ifup' 'mob1s1a1'`;
  expect(await world.command('c1', 'run', line)).toMatchObject({ state: 'ok', code: 0, output: '' });
  expect(await world.command('c2', 'run', 'uci get network.mob1s1a1.apn')).toMatchObject({ state: 'ok', output: "it's; a && b\n" });
  expect(await world.command('c3', 'run', 'uci get network.lan.dns && echo no')).toMatchObject({ state: 'failed', code: 1 });
  expect(fleet.devices).toHaveLength(1);
});

test('every verb is answered as the protocol says', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 1, moods: 'good' });
  const hello = (await world.hello()).json;
  const reports = world.heard.filter((m) => m.topic === 'up/status').length;
  expect(await world.command('c1', 'refresh')).toMatchObject({ state: 'ok', code: 0 });
  expect(world.heard.filter((m) => m.topic === 'up/status').length).toBeGreaterThan(reports);
  expect(await world.command('c2', 'run', 'echo "a  b"; cat /etc/version && uname -a')).toMatchObject({
    state: 'ok',
    output: `a  b\n${fleet.devices[0]?.identity.firmware}\nLinux Simulated-${hello['model']} 5.10.224 #0 SMP Canopy-simulated ${fleet.devices[0]?.identity.model.machine} GNU/Linux\n`,
  });
  expect(await world.command('c3', 'run', 'xyz -a')).toMatchObject({ state: 'failed', code: 127, output: 'sh: xyz: not found\n' });
  expect(await world.command('c4', 'run', 'sleep 30', { timeout: 1 })).toMatchObject({ state: 'failed', code: 124, message: 'timed out' });
  expect(await world.command('period', 'settings', 'report_seconds=77')).toMatchObject({ state: 'ok', message: 'Reports every 77 s' });
  await world.hear('a hello with it', (m) => m.topic === 'up/hello' && m.json['report_seconds'] === 77);
  expect(await world.command('c5', 'dance')).toMatchObject({ state: 'failed', message: 'unknown verb' });
  expect(await world.command('c6', 'run', 'true', { deadline: -9, sent: -20 })).toMatchObject({ state: 'failed', message: 'expired' });
  expect(await world.command('c3', 'run', 'echo something else')).toMatchObject({ code: 127 });

  const after = world.heard.length;
  const reboot = commandText('c7', 'reboot', '');
  await world.send(reboot);
  expect((await world.result('c7', after)).json).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/^Online again after \d+ s$/),
  });
  const story = world.heard.slice(after).flatMap((m) => {
    if (m.topic === 'up/hello') return ['hello'];
    if (m.topic === 'up/result') return [m.json['state']];
    return m.json['online'] === false ? ['goodbye'] : [];
  });
  expect(story).toEqual(['running', 'goodbye', 'hello', 'ok']);
  expect((await world.hello(after)).json['boot_id']).not.toBe(hello['boot_id']);
  const again = world.heard.length;
  await world.send(reboot);
  await world.result('c7', again);
  expect(world.heard.slice(again).some((m) => m.json['online'] === false)).toBe(false);

  expect(await world.command('c8', 'forget')).toMatchObject({ state: 'ok' });
  await eventually('it is gone', () => !fleet.devices[0]?.isOnline);
  expect(fleet.devices[0]?.credentials).toBeUndefined();
});

test('a failing device fails, a refusing one refuses, and a test can change its mood, take it away and bring it back', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 1, moods: { failing: 1 } });
  const [device] = fleet.devices;
  expect(await world.command('c1', 'run', 'echo hi')).toMatchObject({ state: 'failed', code: 2, message: "can't fork: Out of memory" });
  device?.setMood('refusing');
  expect(await world.command('c2', 'refresh')).toMatchObject({ state: 'failed', code: 126, message: expect.stringContaining('Refused') });
  device?.setMood('good');
  expect(await world.command('c3', 'run', 'echo hi')).toMatchObject({ state: 'ok', output: 'hi\n' });
  device?.goOffline();
  await world.hear('the will', (m) => m.json['online'] === false);
  const after = world.heard.length;
  device?.comeBack();
  await world.hello(after);
  expect(device?.isOnline).toBe(true);
});

test('devices come back after a restart of the broker, with what they could not send', async () => {
  await using world = await AgentWorld.start({ devices: 20 });
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 20, moods: 'good' });
  const online = () => fleet.counts().online === 20;
  await eventually('all are online', online);
  await world.send(commandText('c1', 'run', 'sleep 1; echo late'));
  await world.hear('running', (m) => m.json['state'] === 'running');
  await world.stopBroker();
  await eventually('all are gone', () => fleet.counts().online === 0);
  const after = world.heard.length;
  await world.startBroker();
  await eventually('all are back', online);
  expect((await world.result('c1', after)).json).toMatchObject({ state: 'ok', output: 'late\n' });
});

test('devices spread over codes by count and share, with names of their own', async () => {
  await using world = await AgentWorld.start({ devices: 12 });
  const codes = [
    { code: 'A', count: 2, namePrefix: 'North ' },
    { code: 'B', share: 3 },
    { code: 'C', share: 2 },
  ];
  await using _fleet = await startFleet({ url: world.url, devices: 12, codes, seed: 'x', moods: 'good' });
  const used = (code: string) => world.enrolments.filter(({ body }) => body['code'] === code);
  expect([used('A').length, used('B').length, used('C').length]).toEqual([2, 6, 4]);
  for (const { body } of used('A')) expect(body['name']).toMatch(/^North /);
});

test('a state file lets a fleet rejoin without enrolling, and enrol only what is new', async () => {
  await using world = await AgentWorld.start({ devices: 10 });
  const state = join(world.folder, 'fleet.json');
  await using first = await startFleet({ url: world.url, code: 'A', devices: 5, moods: 'good', state });
  await first.stop();
  expect((await stat(state)).mode & 0o777).toBe(0o600);
  await using second = await startFleet({ url: world.url, code: 'A', devices: 7, moods: 'good', state });
  expect(world.enrolments).toHaveLength(7);
  await eventually('all are online', () => second.counts().online === 7);
  expect(second.devices[0]?.identity.serial).toBe(first.devices[0]?.identity.serial);
  await second.stop();
  await using third = await startFleet({ url: world.url, codes: [], devices: 9, moods: 'good', state });
  expect(third.counts()).toMatchObject({ devices: 7, online: 7 });
  expect(world.enrolments).toHaveLength(7);
});

test('enrolment waits as long as a 429 says, and a refused code ends the fleet in words', async () => {
  await using world = await AgentWorld.start();
  world.refusal = { status: 429, headers: { 'retry-after': '1' } };
  const starting = startFleet({ ...QUICK, url: world.url, devices: 1, moods: 'good' });
  await eventually('it was asked to wait', () => world.enrolments.length > 0);
  world.refusal = undefined;
  await using _fleet = await starting;
  expect(world.enrolments).toHaveLength(2);
  world.refusal = { status: 403, headers: {} };
  await expect(startFleet({ ...QUICK, url: world.url, devices: 2, moods: 'good' })).rejects.toThrow('refused the enrolment code');
});

test('npm run fleet prints its progress and how to stop, and ends cleanly on SIGTERM', async () => {
  await using world = await AgentWorld.start();
  const main = join(import.meta.dirname, '../../agent/fleet/main.ts');
  const program = world.spawn(process.execPath, [
    main,
    '--devices',
    '3',
    '--url',
    world.url,
    '--code',
    'K7QM',
    '--moods',
    'good',
    '--period',
    '1',
  ]);
  await eventually('it is up', () => program.said().includes('The fleet is up'));
  expect(program.said()).toContain('3 of 3 enrolled, 3 online');
  expect(program.said()).toContain(`kill ${program.pid}`);
  const seen = world.heard.length;
  await world.hear('reports every second', (m) => m.topic === 'up/status', seen);
  program.kill('SIGTERM');
  await once(program, 'exit');
  expect(program.exitCode).toBe(0);
  expect(world.heard.some((m) => m.json['online'] === false)).toBe(false);
  const wrong = world.spawn(process.execPath, [main, '--devices', '0', '--url', world.url, '--code', 'K7QM']);
  await once(wrong, 'exit');
  expect(wrong.exitCode).toBe(1);
  expect(wrong.said()).toContain('--devices: "0" is no whole number above 0.');
});

test('a simulated router runs the tools of the device page, and shows its log while it is followed', async () => {
  await using world = await AgentWorld.start();
  await using fleet = await startFleet({ ...QUICK, url: world.url, devices: 1, moods: 'good' });
  await world.hello();
  const [script = ''] = (loadContract().forms['devices/network-tools']?.submit.job?.steps[0] ?? []).slice(2);
  const line = (...given: string[]) => ['sh', '-c', script, 'sh', ...given].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  expect(await world.command('c1', 'watch', line('ping', '192.0.2.1', '2', '', ''))).toMatchObject({
    state: 'ok',
    output: expect.stringContaining('2 packets transmitted'),
  });
  expect(await world.command('c2', 'watch', line('log', '', '', '12', ''))).toMatchObject({
    output: expect.stringMatching(/^(?:.*\n){12}$/),
  });
  const followed = await world.command('c3', 'watch', line('follow', '', '', '', '5'));
  expect(followed).toMatchObject({ code: 124, output: expect.stringMatching(/^(?:.*\n){5}$/) });
  const shown = world.heard.filter(({ json }) => json['id'] === 'c3' && json['state'] === 'running' && 'output' in json);
  expect(shown).toHaveLength(2);
  expect(fleet.devices).toHaveLength(1);
});
