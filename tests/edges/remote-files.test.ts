import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  UPLOAD_CHUNK_BYTES,
  type FileList,
  type FileText,
  type RemoteAnswer,
  type RemoteQuestion,
} from '../../schemas/kit/devices/remote-wire.ts';
import { findOpenFiles, relayFiles } from '../../server/features/remote-files/relay.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startDropbear, startSshd, type SshServer } from '../helpers/remote-counterparts.ts';
import { actorOf, makeRig, type RemoteConsole, type RigOptions } from '../helpers/remote-rig.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let actor: RigOptions['actor'];

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  actor = await actorOf(world, company);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const openRig = async (server: SshServer) =>
  makeRig(world, (ctx, session, socket) => relayFiles(ctx, session, socket), {
    kind: 'sftp',
    port: server.port,
    actor,
    device: await makeDevice(world, { company }),
  });

const trusting =
  ({ username, privateKey }: SshServer) =>
  (question: RemoteQuestion): RemoteAnswer => {
    if (question.kind === 'host-key') return { trust: true };
    return question.kind === 'login' ? { username, private_key: privateKey } : null;
  };

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Sends a file as the console does: pieces of the size of the wire, never more than a window under way. */
async function upload(
  console: RemoteConsole,
  path: string,
  content: Buffer,
  { source, stopAt = Infinity }: { source?: string; stopAt?: number } = {},
): Promise<number> {
  const call = { op: 'upload', path, size: content.length, overwrite: true, ...(source === undefined ? {} : { source }) } as const;
  const { offset } = (await console.call(call)) as { offset: number };
  const id = console.lastCall;
  const header = Buffer.alloc(4);
  header.writeUInt32BE(id);
  for (let at = offset; at < Math.min(content.length, stopAt); at += UPLOAD_CHUNK_BYTES) {
    await until('room for more', () => {
      const progress = console.messages.findLast((message) => message.type === 'progress' && message.id === id);
      return at - (progress?.type === 'progress' ? progress.bytes : offset) < 4 * 1024 * 1024;
    });
    console.socket.send(Buffer.concat([header, content.subarray(at, at + UPLOAD_CHUNK_BYTES)]));
  }
  if (stopAt === Infinity) await console.call({ op: 'upload-end', upload: id });
  return offset;
}

async function download(session: number, path: string, range?: { start: number; end: number }): Promise<Buffer> {
  const found = findOpenFiles(session, actor.userId);
  if (!found) throw new Error('the session has no files');
  const parts: Buffer[] = [];
  for await (const part of await found.fs.read(path, range)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe.each([
  ['OpenSSH', 'sftp', () => startSshd()],
  ['dropbear without an sftp-server', 'exec', () => startDropbear()],
] as const)('%s', (_name, way, start) => {
  let server: SshServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  async function openConsole(rig: Awaited<ReturnType<typeof openRig>>): Promise<RemoteConsole> {
    const console = rig.open();
    console.answer = trusting(server);
    expect(await console.hear('open')).toMatchObject({ ways: way, home: expect.stringMatching(/^\//) });
    return console;
  }

  test('folders are listed with kinds, sizes, permissions and owners; names may hold anything', async () => {
    const folder = join(server.folder, 'list');
    mkdirSync(join(folder, 'inner folder'), { recursive: true });
    writeFileSync(join(folder, `it's "näme" $HOME.txt`), 'hello', { mode: 0o640 });
    symlinkSync('inner folder', join(folder, 'link'));
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    const { files } = (await console.call({ op: 'list', path: folder })) as FileList;
    const named = Object.fromEntries(files.map((file) => [file.name, file]));
    expect(named[`it's "näme" $HOME.txt`]).toMatchObject({ kind: 'file', size: 5, mode: 0o640, owner: server.username });
    expect(Math.abs((named[`it's "näme" $HOME.txt`]?.modified ?? 0) - Date.now() / 1000)).toBeLessThan(100_000);
    expect(named['inner folder']).toMatchObject({ kind: 'folder', is_folder: true });
    expect(named['link']).toMatchObject({ kind: 'link', is_folder: true });
    await expect(console.call({ op: 'list', path: join(folder, 'none') })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('files are made, renamed, given permissions and removed, and each change is in the history', async () => {
    const folder = join(server.folder, 'change');
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    await console.call({ op: 'make-folder', path: folder });
    await console.call({ op: 'write', path: join(folder, 'a.txt'), text: 'one\n' });
    await console.call({ op: 'permissions', path: join(folder, 'a.txt'), mode: 0o600 });
    await console.call({ op: 'rename', path: join(folder, 'a.txt'), to: join(folder, 'b.txt') });
    expect(statSync(join(folder, 'b.txt')).mode & 0o777).toBe(0o600);
    await console.call({ op: 'write', path: join(folder, 'c.txt'), text: 'other' });
    await expect(console.call({ op: 'rename', path: join(folder, 'b.txt'), to: join(folder, 'c.txt') })).rejects.toMatchObject({
      code: 'exists',
    });
    await console.call({ op: 'remove', path: folder, recursive: true });
    expect(existsSync(folder)).toBe(false);
    await expect(console.call({ op: 'remove', path: '/', recursive: true })).rejects.toMatchObject({ code: 'denied' });
    const rows = await world.ctx.db.selectFrom('audit').select('after').where('action', '=', 'devices.change-remote-file').execute();
    expect(rows.map(({ after }) => String(after)).join('\n')).toContain('"op":"permissions"');
  });

  test('a text that somebody else has changed meanwhile is not overwritten unasked', async () => {
    const path = join(server.folder, 'edit.conf');
    writeFileSync(path, 'first\n', { mode: 0o600 });
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    const { text, version } = (await console.call({ op: 'read', path })) as FileText;
    expect(text).toBe('first\n');
    writeFileSync(path, 'by somebody else\n');
    await expect(console.call({ op: 'write', path, text: 'mine\n', version })).rejects.toMatchObject({ code: 'changed' });
    await console.call({ op: 'write', path, text: 'mine\n', version, overwrite: true });
    expect(readFileSync(path, 'utf8')).toBe('mine\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, Buffer.from([0, 1, 2]));
    await expect(console.call({ op: 'read', path })).rejects.toMatchObject({ code: 'not-text' });
  });

  test('what is saved or sent to a link goes to the file that it leads to, and the link stays', async () => {
    const [folder, file] = [join(server.folder, 'sites'), join(server.folder, 'sites', 'available.conf')];
    mkdirSync(folder);
    writeFileSync(file, 'first\n');
    const link = join(server.folder, 'enabled.conf');
    symlinkSync('sites/available.conf', link);
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    const { version } = (await console.call({ op: 'read', path: link })) as FileText;
    await console.call({ op: 'write', path: link, text: 'edited\n', version });
    expect(readFileSync(file, 'utf8')).toBe('edited\n');
    await upload(console, link, Buffer.from('sent\n'), { source: 'one' });
    expect(readFileSync(file, 'utf8')).toBe('sent\n');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder)).toEqual(['available.conf']);
  });

  test('an upload that broke goes on where it stopped with the same file and no other, and nothing is in its place before it is whole', async () => {
    const path = join(server.folder, 'resumed.bin');
    const content = randomBytes(3_000_000);
    const partsOf = (name: string) => readdirSync(server.folder).filter((file) => file.startsWith(`${name}.`));
    {
      await using rig = await openRig(server);
      const console = await openConsole(rig);
      await upload(console, path, content, { source: 'first', stopAt: 1_500_000 });
      await until('half of it', () => partsOf('resumed.bin').some((part) => statSync(join(server.folder, part)).size > 1_000_000));
      expect(existsSync(path)).toBe(false);
    }
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    // Another file of that name and size has nothing of the first in it.
    const other = randomBytes(3_000_000);
    expect(await upload(console, path, other, { source: 'second' })).toBe(0);
    expect(sha(readFileSync(path))).toBe(sha(other));
    chmodSync(path, 0o751);
    expect(await upload(console, path, content, { source: 'first' })).toBeGreaterThan(1_000_000);
    expect(sha(readFileSync(path))).toBe(sha(content));
    expect(statSync(path).mode & 0o777).toBe(0o751);
    expect(partsOf('resumed.bin')).toEqual([]);
  });

  test('200 MB go up and come down with the same hash, whole or by a part', async () => {
    const path = join(server.folder, 'large.bin');
    const content = randomBytes(200_000_000);
    await using rig = await openRig(server);
    const console = await openConsole(rig);
    await upload(console, path, content);
    expect(statSync(path).size).toBe(content.length);
    const session = rig.sessions[0]?.id ?? 0;
    expect(sha(await download(session, path))).toBe(sha(content));
    const part = await download(session, path, { start: 150_000_000, end: 150_999_999 });
    expect(sha(part)).toBe(sha(content.subarray(150_000_000, 151_000_000)));
    expect(findOpenFiles(session, actor.userId + 1)).toBeUndefined();
  });
});
