import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { relayRdp } from '../../server/features/remote-desktop/rdp-relay.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startRdpServer, startVncDesktop, startXrdp, type RdpServer } from '../helpers/remote-counterparts.ts';
import { startHostileRdp } from '../helpers/hostile-rdp.ts';
import { actorOf, makeRig, type RemoteConsole, type RigOptions } from '../helpers/remote-rig.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const SIZE = { width: 800, height: 600 };

let world: World;
let actor: RigOptions['actor'];
let company: Awaited<ReturnType<typeof makeCompany>>;
let desktop: RdpServer;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  actor = await actorOf(world, company);
  desktop = await startRdpServer();
});
afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const openRig = async (given: Partial<RigOptions> = {}) =>
  makeRig(world, (ctx, session, socket, hello) => relayRdp(ctx, session, socket, hello), {
    kind: 'rdp',
    port: desktop.port,
    actor,
    device: await makeDevice(world, { company }),
    credentials: { username: desktop.username, password: desktop.password },
    ...given,
  });

const allBytes = (console: RemoteConsole): Buffer => Buffer.concat(console.bytes);
const key = (code: number, isDown: boolean): Buffer => Buffer.from([4, isDown ? 1 : 0, 0, 0, 0, 0, code >> 8, code & 255]);

/** What runs with a folder of an RDP desktop. */
function processesOfDesktops(): { pid: string; line: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes('/canopy-rdp-') ? [{ pid, line }] : [];
      } catch {
        return [];
      }
    });
}
const programsOfDesktops = (): string[] => processesOfDesktops().map(({ line }) => line);

/** The bytes that the client may write to a file, and those of its address space. */
function limitsOfClient(): (string | undefined)[] {
  const client = processesOfDesktops().find(({ line }) => line.includes('freerdp'));
  const limits = readFileSync(`/proc/${client?.pid}/limits`, 'utf8');
  return ['file size', 'address space'].map((name) => new RegExp(`^Max ${name} +(\\d+)`, 'm').exec(limits)?.[1]);
}
const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('canopy-rdp-'));

const nothingLeft = () => until('programs and folders to be gone', () => programsOfDesktops().length + folders().length === 0);

/** Trusts the certificate and shakes hands as noVNC does; answers once the desktop is there. */
async function enter(console: RemoteConsole): Promise<void> {
  await console.hear('open');
  console.type('RFB 003.008\n');
  console.socket.send(Buffer.from([1, 1]));
  await until('the desktop', () => allBytes(console).length >= 12 + 2 + 4 + 24);
}

/** The colour of one pixel, as the desktop sends it: blue, green, red. */
async function pixel(console: RemoteConsole, x: number, y: number): Promise<number[]> {
  const before = allBytes(console).length;
  // The whole picture again, raw.
  console.socket.send(Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]));
  console.socket.send(Buffer.from([3, 0, x >> 8, x & 255, y >> 8, y & 255, 0, 1, 0, 1]));
  const update = await until('a pixel', () => allBytes(console).length >= before + 4 + 12 + 4 && allBytes(console).subarray(before));
  return [...update.subarray(16, 19)];
}

test('an RDP desktop is drawn and typing arrives; its certificate is trusted once, its password reaches neither the browser nor a command line', async () => {
  const rig = await openRig();
  const console = rig.open(SIZE);
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : null);
  await enter(console);
  const [asked] = console.messages;
  expect(asked).toMatchObject({ type: 'ask', question: { kind: 'host-key', key_type: 'X.509', port: desktop.port } });
  expect(JSON.stringify(asked)).toMatch(/"([0-9A-F]{2}:){31}[0-9A-F]{2}"/);
  await until('the blue of the window', async () => (await pixel(console, 300, 200)).join() === '255,0,0');
  const programs = programsOfDesktops();
  expect(programs).toHaveLength(2);
  expect(limitsOfClient()).toEqual(['4194304', '3072000000']);
  expect(programs.join()).not.toContain(desktop.password);
  expect(JSON.stringify(console.messages) + allBytes(console).toString('latin1')).not.toContain(desktop.password);
  // The pointer over the window gives it the keyboard.
  console.socket.send(Buffer.from([5, 0, 0, 100, 0, 100]));
  await until('typing to arrive', () => {
    for (const letter of 'hi') {
      console.socket.send(key(letter.charCodeAt(0), true));
      console.socket.send(key(letter.charCodeAt(0), false));
    }
    return desktop.typed().includes('hi');
  });
  const again = rig.open(SIZE);
  await again.hear('open');
  expect(again.find('ask')).toBeUndefined();
  // The right is lost, or an administrator ends it.
  for (const session of rig.sessions) session.cut('right-lost');
  await nothingLeft();
  await rig[Symbol.asyncDispose]();
});

test('xrdp, which signs people in in its picture, is drawn', async () => {
  await using server = await startXrdp();
  const rig = await openRig({ port: server.port });
  const console = rig.open(SIZE);
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : null);
  await enter(console);
  await until('the blue behind its sign-in', async () => (await pixel(console, 10, 10)).join() === '181,156,0');
  await until('the white of its sign-in', async () => (await pixel(console, 300, 200)).join() === '255,255,255');
  await rig[Symbol.asyncDispose]();
  await nothingLeft();
});

test('without the right to the clipboard neither the client nor its screen has one', async () => {
  const rig = await openRig({ hasClipboard: false });
  const console = rig.open(SIZE);
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : null);
  await enter(console);
  expect(console.find('open')).toMatchObject({ no_clipboard: true });
  const programs = programsOfDesktops();
  expect(programs.filter((line) => line.includes(' -clipboard'))).toHaveLength(1);
  expect(programs.filter((line) => line.includes('-AcceptCutText=0 -SendCutText=0'))).toHaveLength(1);
  await rig[Symbol.asyncDispose]();
  await nothingLeft();
});

test('a wrong password is asked for again, and ends the session in the end', async () => {
  await using rig = await openRig({ credentials: { username: desktop.username, password: 'wrong' } });
  const console = rig.open(SIZE);
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : { password: 'wrong as well' });
  expect(await console.hear('end')).toMatchObject({ reason: 'login-failed' });
  expect(console.messages.filter((message) => message.type === 'ask' && message.question.kind === 'login')).toHaveLength(2);
  await nothingLeft();
});

test('a changed certificate is shown beside the one that was trusted, and nothing starts without trust', async () => {
  await using rig = await openRig();
  const { db } = world.ctx;
  const place = { device_id: (await makeDevice(world, { company })).id, host: '127.0.0.1', port: desktop.port };
  await using other = await openRig({ device: { id: place.device_id, name: 'Till', company_id: company.id } });
  await db
    .insertInto('remote_host_keys')
    .values({ ...place, key_type: 'X.509', fingerprint: 'AA:BB', trusted_by: actor.userId, created_at: 0 })
    .execute();
  for (const [one, known] of [
    [rig, undefined],
    [other, 'AA:BB'],
  ] as const) {
    const console = one.open(SIZE);
    console.answer = () => ({ trust: false });
    expect(await console.hear('end')).toMatchObject({ reason: 'host-key-refused' });
    expect(console.find('ask')?.question).toMatchObject(known === undefined ? { kind: 'host-key' } : { kind: 'host-key', known });
  }
  expect(programsOfDesktops()).toEqual([]);
});

test('a server that speaks no RDP is reported as such', async () => {
  await using other = await startVncDesktop();
  await using rig = await openRig({ port: other.port });
  expect(await rig.open(SIZE).hear('end')).toMatchObject({ reason: 'protocol' });
});

test.each(['silence', 'garbage', 'a message that never ends', 'a flood'] as const)(
  'a hostile server that answers the handshake with %s ends with its session, and leaves nothing [FT10]',
  async (attack) => {
    await using hostile = await startHostileRdp(attack);
    await using rig = await openRig({ port: hostile.port });
    const console = rig.open(SIZE);
    console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : { password: 'again' });
    await until('its attack', () => hostile.attacks() > 0);
    // The time that a desktop has to come up.
    if (attack !== 'garbage') await world.clock.advance(40_000);
    const { reason } = await console.hear('end');
    expect(['timeout', 'protocol', 'login-failed']).toContain(reason);
    await nothingLeft();
  },
);

test('no more desktops are opened than the setting allows', async () => {
  const { remote } = world.ctx.config;
  const most = remote.rdpDesktops;
  remote.rdpDesktops = 0;
  try {
    await using rig = await openRig();
    expect(await rig.open(SIZE).hear('end')).toMatchObject({ reason: 'too-many-desktops' });
  } finally {
    remote.rdpDesktops = most;
  }
});
