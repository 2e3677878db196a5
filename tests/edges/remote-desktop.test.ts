import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDesktopRecording } from '../../server/domain/remote/desktop-recording.ts';
import { recordingPath } from '../../server/domain/remote/recording.ts';
import { relayVnc } from '../../server/features/remote-desktop/vnc-relay.ts';
import { parseFramebufferStream } from '../../src/features/desktop/framebuffer-stream.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startVncDesktop, type Desktop } from '../helpers/remote-counterparts.ts';
import { actorOf, makeRig, type RemoteConsole, type RigOptions } from '../helpers/remote-rig.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let actor: RigOptions['actor'];
let desktop: Desktop;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  actor = await actorOf(world, company);
  desktop = await startVncDesktop();
});
afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const openRig = async (given: Partial<RigOptions> = {}) =>
  makeRig(world, (ctx, session, socket) => relayVnc(ctx, session, socket), {
    kind: 'vnc',
    port: desktop.port,
    actor,
    device: await makeDevice(world, { company }),
    ...given,
  });

const allBytes = (console: RemoteConsole): Buffer => Buffer.concat(console.bytes);

/** Shakes hands as noVNC does, up to the size of the desktop. */
async function enter(console: RemoteConsole): Promise<{ width: number; height: number }> {
  await console.hear('open');
  await until('the version', () => allBytes(console).length >= 12);
  expect(allBytes(console).subarray(0, 12).toString()).toBe('RFB 003.008\n');
  console.type('RFB 003.008\n');
  await until('the security types', () => allBytes(console).length >= 14);
  expect([...allBytes(console).subarray(12, 14)]).toEqual([1, 1]);
  // The type and ClientInit in one piece: what belongs to the desktop is not lost.
  console.socket.send(Buffer.from([1, 1]));
  await until('the desktop', () => allBytes(console).length >= 12 + 2 + 4 + 24);
  const init = allBytes(console).subarray(18);
  return { width: init.readUInt16BE(0), height: init.readUInt16BE(2) };
}

const key = (code: number, isDown: boolean): Buffer => Buffer.from([4, isDown ? 1 : 0, 0, 0, 0, 0, code >> 8, code & 255]);

test('a VNC desktop opens with the stored password, which the browser never gets; typing arrives', async () => {
  await using rig = await openRig({ credentials: { password: desktop.password } });
  const console = rig.open({});
  expect(await enter(console)).toEqual({ width: 800, height: 600 });
  // The pointer over the window gives it the keyboard.
  console.socket.send(Buffer.from([5, 0, 0, 100, 0, 100]));
  await until('typing to arrive', () => {
    for (const letter of 'hi') {
      console.socket.send(key(letter.charCodeAt(0), true));
      console.socket.send(key(letter.charCodeAt(0), false));
    }
    return desktop.typed().includes('hi');
  });
  expect(JSON.stringify(console.messages) + allBytes(console).toString('latin1')).not.toContain(desktop.password);
});

test('a password is asked for where none is stored, and a wrong one ends the session with the reason', async () => {
  await using rig = await openRig();
  const console = rig.open({});
  console.answer = () => ({ password: desktop.password });
  await enter(console);
  const wrong = rig.open({});
  wrong.answer = () => ({ password: 'wrong' });
  expect(await wrong.hear('end')).toMatchObject({ reason: 'login-failed' });
});

test('a server that speaks no VNC is reported as such', async () => {
  const { startTelnetd } = await import('../helpers/remote-counterparts.ts');
  await using other = await startTelnetd('#!/bin/sh\necho no desktop here; sleep 5\n');
  await using rig = await openRig({ port: other.port });
  expect(await rig.open({}).hear('end')).toMatchObject({ reason: 'protocol' });
});

test('a recording has what the desktop sent after its sign-in, byte for byte, and nothing of what was typed and pasted', async () => {
  const { dataDir } = world.ctx.config;
  const session = { id: 900, protocol: 'vnc' } as const;
  const recording = openDesktopRecording({ clock: world.clock, dataDir }, session);
  await using rig = await openRig({ credentials: { password: desktop.password }, recording });
  const console = rig.open({});
  await enter(console);
  expect(console.find('open')).toMatchObject({ recorded: true });
  const pasted = Buffer.from('pasted-secret');
  console.socket.send(Buffer.concat([Buffer.from([6, 0, 0, 0, 0, 0, 0, pasted.length]), pasted]));
  console.socket.send(Buffer.from([3, 0, 0, 0, 0, 0, 3, 32, 2, 88]));
  await until('a whole picture', () => console.received > 800 * 600);
  console.socket.send(key('x'.charCodeAt(0), true));
  rig.sessions[0]?.cut('test');
  await recording.close();
  const file = readFileSync(recordingPath(dataDir, session));
  expect(recording.bytes()).toBe(file.length);
  const { blocks = [], isFull } = parseFramebufferStream(new Uint8Array(file).buffer) ?? {};
  const [head, ...rest] = blocks.map(({ bytes }) => Buffer.from(bytes));
  expect(head?.toString('latin1')).toBe('RFB 003.003\n\0\0\0\u0001');
  const recorded = Buffer.concat(rest);
  const sent = allBytes(console).subarray(18);
  expect(recorded.subarray(0, sent.length).equals(sent)).toBe(true);
  expect([isFull, recorded.includes(pasted), recorded.includes(desktop.password)]).toEqual([false, false, false]);
});

test('without the right to the clipboard nothing is copied to a desktop or from it, while its picture and typing go on', async () => {
  const onDesktop = { env: { ...process.env, DISPLAY: desktop.display } };
  const readSelection = () => execFileSync('xsel', ['-ob'], onDesktop).toString();
  const set = (text: string) => execFileSync('xsel', ['-ib'], { ...onDesktop, input: text, stdio: ['pipe', 'ignore', 'ignore'] });
  set('before');
  await using rig = await openRig({ credentials: { password: desktop.password }, hasClipboard: false });
  const console = rig.open({});
  await enter(console);
  expect(console.find('open')).toMatchObject({ no_clipboard: true });
  const pasted = Buffer.from('pasted-secret');
  console.socket.send(Buffer.concat([Buffer.from([6, 0, 0, 0, 0, 0, 0, pasted.length]), pasted]));
  // Tight and ZRLE.
  console.socket.send(Buffer.from([2, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 16]));
  console.socket.send(Buffer.from([3, 0, 0, 0, 0, 0, 3, 32, 2, 88]));
  await until('a picture', () => console.received > 200);
  expect(readSelection()).toBe('before');
  set('copied-secret');
  const before = console.received;
  console.socket.send(Buffer.from([3, 0, 0, 0, 0, 0, 3, 32, 2, 88]));
  await until('another picture', () => console.received > before + 100);
  console.socket.send(Buffer.from([5, 0, 0, 100, 0, 100]));
  await until('typing to arrive', () => {
    for (const isDown of [true, false]) console.socket.send(key('q'.charCodeAt(0), isDown));
    return desktop.typed().includes('q');
  });
  expect(allBytes(console).includes('secret')).toBe(false);
});

test('a recording that is full ends with a note, and takes no more', async () => {
  const { dataDir } = world.ctx.config;
  const session = { id: 901, protocol: 'rdp' } as const;
  const recording = openDesktopRecording({ clock: world.clock, dataDir, mostBytes: 1000 }, session);
  for (let count = 0; count < 5; count += 1) recording.write('o', Buffer.alloc(400, count));
  await recording.close();
  const stream = parseFramebufferStream(new Uint8Array(readFileSync(recordingPath(dataDir, session))).buffer);
  expect(stream).toMatchObject({ isFull: true });
  expect(stream?.blocks.map(({ bytes }) => bytes.length)).toEqual([16, 400, 400]);
});
