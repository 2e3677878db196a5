import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RemoteAnswer, RemoteQuestion } from '../../schemas/kit/devices/remote-wire.ts';
import { setLegacy } from '../../server/features/remote-terminal/legacy.ts';
import { relayTerminal } from '../../server/features/remote-terminal/relay.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { freePort } from '../helpers/free-port.ts';
import { startDropbear, startSshd, startTelnetd, type SshServer } from '../helpers/remote-counterparts.ts';
import { actorOf, makeRig, type RigOptions } from '../helpers/remote-rig.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let actor: RigOptions['actor'];
let sshd: SshServer;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  actor = await actorOf(world, company);
  sshd = await startSshd();
});
afterAll(async () => {
  await sshd?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const openRig = async (given: Partial<RigOptions> = {}) =>
  makeRig(world, relayTerminal, { kind: 'ssh', port: sshd.port, actor, device: await makeDevice(world, { company }), ...given });

const addEntry = (deviceId: number, port: number) =>
  world.ctx.db
    .insertInto('remote_entries')
    .values({
      ...{ device_id: deviceId, name: 'old', protocol: 'ssh', host: '127.0.0.1', port, is_main: 0, credentials_required: 0 },
      ...{ sealed_credentials: null, blocked_at: null, check_state: null, checked_at: null, created_at: 0, updated_at: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();

const trusting =
  ({ username, privateKey }: SshServer) =>
  (question: RemoteQuestion): RemoteAnswer => {
    if (question.kind === 'host-key') return { trust: true };
    return question.kind === 'login' ? { username, private_key: privateKey } : null;
  };

test('a shell opens after the fingerprint was trusted, takes typing and sizes, and says how it ended', async () => {
  await using rig = await openRig();
  const console = rig.open({ cols: 100, rows: 30 });
  console.answer = trusting(sshd);
  await console.hear('open');
  const [first] = console.messages;
  expect(first).toMatchObject({ type: 'ask', question: { kind: 'login', needs_username: true, takes_key: true } });
  expect(console.messages[1]).toMatchObject({
    question: { kind: 'host-key', key_type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/) },
  });
  console.type('stty size; echo "in $((6*7)) out"\n');
  await console.see(/30 100\r\nin 42 out/);
  console.send({ type: 'resize', cols: 132, rows: 50 });
  console.type('stty size\n');
  await console.see(/50 132/);
  console.type('exit 3\n');
  expect(await console.hear('end')).toMatchObject({ reason: 'closed', code: 3 });
  expect(rig.ends[0]).toBe('ended');
  expect(rig.recorded.join('')).toContain('in 42 out');
});

test('a key that was trusted is not asked for again; another one at the same place is, with both fingerprints', async () => {
  const port = await freePort();
  const device = await makeDevice(world, { company });
  const first = await startSshd({ port });
  {
    await using rig = await openRig({ port, device });
    const console = rig.open();
    console.answer = trusting(first);
    await console.hear('open');
    const again = rig.open();
    again.answer = trusting(first);
    await again.hear('open');
    expect(again.messages.filter((message) => message.type === 'ask').map(({ question }) => question.kind)).toEqual(['login']);
  }
  await first[Symbol.asyncDispose]();
  await using second = await startSshd({ port });
  await using rig = await openRig({ port, device });
  const console = rig.open();
  let asked: RemoteQuestion | undefined;
  console.answer = (question) => {
    if (question.kind !== 'host-key') return trusting(second)(question);
    asked = question;
    return { trust: false };
  };
  expect(await console.hear('end')).toMatchObject({ reason: 'host-key-refused' });
  expect(asked).toMatchObject({ known: expect.stringContaining('SHA256:'), fingerprint: expect.stringContaining('SHA256:') });
  const rows = await world.ctx.db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'devices.trust-host-key')
    .where('entity_id', '=', device.id)
    .execute();
  expect(rows).toHaveLength(1);
});

test('a wrong password is asked for again, three times, and then the session ends', async () => {
  await using rig = await openRig({ credentials: { username: sshd.username, password: 'wrong' } });
  const console = rig.open();
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : { password: 'wrong again' });
  expect(await console.hear('end')).toMatchObject({ reason: 'login-failed' });
  const asked = console.messages.flatMap((message) =>
    message.type === 'ask' && message.question.kind === 'login' ? [message.question] : [],
  );
  expect(asked).toMatchObject([{ failed: true, username: sshd.username }, { failed: true }, { failed: true }]);
  expect(JSON.stringify(console.messages)).not.toContain('wrong');
});

test('50 MB of output pass without piling up before a console that draws slowly, and Ctrl-C stops them', async () => {
  await using rig = await openRig();
  const console = rig.open();
  console.answer = trusting(sshd);
  await console.hear('open');
  console.type('stty -echo; PS1=; head -c 50000000 /dev/zero | tr "\\0" x | fold -w 99; echo "done"\n');
  await until('50 MB', () => console.received > 50_000_000);
  await console.see(/done\r\n/);
  console.acknowledges = false;
  const before = console.received;
  console.type('yes 0123456789\n');
  await until('the window to be full', () => console.received - before > 500_000);
  const stalled = console.received;
  console.type('\u0003');
  console.acknowledges = true;
  console.send({ type: 'ack', bytes: console.received - before });
  console.type('echo after-$((1+1))\n');
  await console.see(/after-2/);
  expect(stalled - before).toBeLessThan(1_500_000);
});

test('a console that lost its line finds the same shell, and gets what it has missed', async () => {
  await using rig = await openRig();
  const console = rig.open();
  console.answer = trusting(sshd);
  const { resume } = await console.hear('open');
  console.type('HERE=42; (sleep 0.2; echo late-$HERE) &\n');
  await console.see(/\[1\] \d+/);
  const { received } = console;
  console.socket.terminate();
  const back = rig.open({ cols: 80, rows: 24, resume, received });
  expect(await back.hear('open')).toMatchObject({ resume, from: received });
  await back.see(/late-42/);
  back.type('echo still-$HERE\n');
  await back.see(/still-42/);
  expect(back.messages.some(({ type }) => type === 'ask')).toBe(false);
});

test('a shell waits half a minute for a lost console, and no longer', async () => {
  await using rig = await openRig();
  const console = rig.open();
  console.answer = trusting(sshd);
  const { resume } = await console.hear('open');
  const before = world.clock.pending();
  console.socket.terminate();
  await until('the shell to wait', () => world.clock.pending() > before);
  await world.clock.advance(30_000);
  await until('the end', () => rig.ends.length > 0);
  const back = rig.open({ resume, received: 0 });
  expect((await back.hear('ask')).question.kind).toBe('login');
});

test('a server of outdated algorithms is refused until its entry allows them', async () => {
  const more = ['KexAlgorithms diffie-hellman-group14-sha1', 'Ciphers 3des-cbc', 'MACs hmac-sha1', 'HostKeyAlgorithms ssh-rsa'];
  await using old = await startSshd({ more, hostKey: 'rsa' });
  const device = await makeDevice(world, { company });
  const { id: entryId } = await addEntry(device.id, old.port);
  await using rig = await openRig({ port: old.port, device, entryId });
  const refused = rig.open();
  refused.answer = trusting(old);
  expect(await refused.hear('end')).toMatchObject({ reason: 'legacy-needed' });
  const origin = { ip: '', requestId: 'test', userAgent: '' };
  await setLegacy(world.ctx, { actor, origin }, entryId, true);
  const console = rig.open();
  console.answer = trusting(old);
  await console.hear('open');
  await setLegacy(world.ctx, { actor, origin }, entryId, false);
  const again = rig.open();
  again.answer = trusting(old);
  expect(await again.hear('end')).toMatchObject({ reason: 'legacy-needed' });
  const rows = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'devices.outdated-algorithms').execute();
  expect(rows).toHaveLength(2);
});

test('dropbear serves shells as OpenSSH does', async () => {
  await using dropbear = await startDropbear();
  await using rig = await openRig({ port: dropbear.port });
  const console = rig.open();
  console.answer = trusting(dropbear);
  await console.hear('open');
  console.type('echo drop-$((4+4))\n');
  await console.see(/drop-8/);
});

test('a port that nothing listens on ends with the reason', async () => {
  await using rig = await openRig({ port: await freePort() });
  const console = rig.open();
  console.answer = trusting(sshd);
  expect(await console.hear('end')).toMatchObject({ reason: 'unreachable' });
});

test('telnet signs in by itself, knows the size, and passes every byte', async () => {
  const login =
    '#!/bin/sh\nprintf "router login: "; read name; stty -echo; printf "Password: "; read word; stty echo\n[ "$name-$word" = "root-Pw-1" ] && PS1="ready> " exec sh\n';
  await using telnetd = await startTelnetd(login);
  await using rig = await openRig({ kind: 'telnet', port: telnetd.port, credentials: { username: 'root', password: 'Pw-1' } });
  const console = rig.open({ cols: 255, rows: 40 });
  expect(await console.hear('open')).toMatchObject({ warnings: ['plain-text'] });
  await console.see(/ready> /);
  console.type('stty size; echo $TERM; printf "\\377\\303\\270" | od -An -tx1\r');
  await console.see(/40 255\r\nxterm-256color\r\n ff c3 b8/);
  console.send({ type: 'resize', cols: 140, rows: 50 });
  console.type('stty size\r');
  await console.see(/50 140/);
  console.type('exit\r');
  expect(await console.hear('end')).toMatchObject({ reason: 'closed' });
});
