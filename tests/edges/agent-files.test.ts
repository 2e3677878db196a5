import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, killGroup, makePathWithout, readCommandLines, SHELLS } from './agent-machine.ts';
import { AgentWorld, commandText } from './agent-world.ts';

const IMAGE = randomBytes(300_000);

function bodyOf(content: Buffer, more: Record<string, string | number> = {}): string {
  const fields = { size: content.length, sha256: createHash('sha256').update(content).digest('hex'), ...more };
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

/** A folder with settings, its restore archive that changes one file and adds another, and the environment in which an agent has it as its root. */
async function makeRoot(world: AgentWorld, more: Record<string, string> = {}) {
  const root = join(world.folder, 'root');
  await mkdir(join(root, 'etc/config'), { recursive: true });
  await writeFile(join(root, 'etc/config/network'), 'lan 1\n');
  await writeFile(join(root, 'etc/config/kept'), 'kept\n');
  const tree = join(world.folder, 'tree');
  await mkdir(join(tree, 'etc/config'), { recursive: true });
  await writeFile(join(tree, 'etc/config/network'), 'lan 2\n');
  await writeFile(join(tree, 'etc/config/added'), 'added\n');
  const archive = execFileSync('tar', ['-czf', '-', '-C', tree, 'etc'], { maxBuffer: 1e7 });
  const read = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(join(root, 'etc/config')))
          .sort()
          .map(async (name) => [name, await readFile(join(root, 'etc/config', name), 'utf8')] as const),
      ),
    );
  return { archive, read, env: { CANOPY_ROOT: root, CANOPY_APPLY_COMMAND: 'true', ...more } };
}

const BEFORE = { kept: 'kept\n', network: 'lan 1\n' };
const AFTER = { added: 'added\n', kept: 'kept\n', network: 'lan 2\n' };

describe.each(SHELLS)('files under %s', (shell) => {
  test('a file is fetched over a connection that breaks, going on where it stopped, and replaces the former one', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const path = join(world.folder, 'new folder/file');
    const served = { content: IMAGE, breaksAfter: 200_000, ranges: [] };
    world.files.set('c1', served);
    expect(await world.command('c1', 'fetch', bodyOf(IMAGE, { path, mode: '0600' }), { timeout: 30 })).toMatchObject({
      state: 'ok',
      code: 0,
    });
    expect((await readFile(path)).equals(IMAGE)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(served.ranges).toHaveLength(2);
    expect(await readdir(join(world.folder, 'new folder'))).toEqual(['file']);
  });

  test('what is not the file that was meant, or has no room on a full flash, is thrown away, and the former file stays', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const path = join(world.folder, 'file');
    await writeFile(path, 'former');
    world.files.set('c1', { content: Buffer.from('something else') });
    const wrong = bodyOf(Buffer.from('something ELSE'), { path });
    expect(await world.command('c1', 'fetch', wrong)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Wrong checksum'),
    });
    expect(await world.command('c2', 'fetch', bodyOf(IMAGE, { path }))).toMatchObject({ message: expect.stringContaining('HTTP 404') });
    const huge = bodyOf(IMAGE, { path, size: 900_000_000_000 });
    expect(await world.command('c3', 'fetch', huge)).toMatchObject({ message: expect.stringContaining('Not enough space') });
    const own = bodyOf(IMAGE, { path: join(world.folder, 'canopy/../canopy/agent.conf') });
    expect(await world.command('c4', 'fetch', own)).toMatchObject({ state: 'failed', message: "The agent's own files are not for others" });
    expect(await world.command('c5', 'fetch', 'path=etc\nsize=1\n')).toMatchObject({ message: 'The path must be absolute' });
    expect(await readFile(path, 'utf8')).toBe('former');
  });

  test('a backup holds the settings and nothing of the agent; a log, an archive for support and a named file are sent as well', async () => {
    await using world = await AgentWorld.start();
    const { env } = await makeRoot(world);
    await mkdir(join(world.folder, 'root/canopy'));
    await world.startAgent(shell, { ...env, CANOPY_BACKUP_PATHS: `/etc ${world.folder}/missing` });
    expect(await world.command('c1', 'send', 'what=backup\n')).toMatchObject({ state: 'ok' });
    const names = (bytes: Buffer | undefined) =>
      execFileSync('tar', ['-tzf', '-'], { input: bytes }).toString().split('\n').filter(Boolean).sort();
    expect(names(world.received[0]?.bytes)).toEqual(['./etc/config/kept', './etc/config/network']);
    expect(await world.command('c2', 'send', 'what=troubleshoot\n', { timeout: 60 })).toMatchObject({ state: 'ok' });
    expect(names(world.received[1]?.bytes)).toEqual(
      expect.arrayContaining(['troubleshoot/log.txt', 'troubleshoot/df--k.txt', 'troubleshoot/hello']),
    );
    expect(await world.command('c3', 'send', 'what=eventslog\n')).toMatchObject({ state: 'ok' });
    expect(world.received[2]?.bytes.length).toBeGreaterThan(0);
    const path = join(world.folder, 'a "file"; with, marks');
    await writeFile(path, IMAGE);
    expect(await world.command('c4', 'send', `path=${path}\n`)).toMatchObject({ state: 'ok', message: '300000 bytes' });
    expect(world.received[3]?.bytes.equals(IMAGE)).toBe(true);
    expect(await world.command('c5', 'send', `path=${world.folder}/canopy/agent.conf\n`)).toMatchObject({ state: 'failed' });
    expect(await world.command('c6', 'send', 'path=/dev/zero\n')).toMatchObject({ state: 'failed', message: 'There is no file /dev/zero' });
    expect(await world.command('c7', 'send', 'what=secrets\n')).toMatchObject({ state: 'failed', message: 'Unknown: secrets' });
    expect(world.received.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  test('the speed of the connection is measured in both directions; a download that breaks off is a failure', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    world.files.set('c1', { content: randomBytes(1024 * 1024) });
    expect(await world.command('c1', 'speed', 'megabytes=1\n')).toMatchObject({
      state: 'ok',
      output: expect.stringMatching(/^Download: [\d.]+ Mbit\/s \(1\.0 MB in [\d.]+ s\)\nUpload: [\d.]+ Mbit\/s \(1\.0 MB in [\d.]+ s\)\n$/),
    });
    expect(world.received[0]?.bytes.length).toBe(1024 * 1024);
    world.files.set('c2', { content: randomBytes(1024 * 1024), breaksAfter: 1000 });
    expect(await world.command('c2', 'speed', 'megabytes=1\n', { timeout: 30 })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('The download broke off'),
    });
  });

  test('settings are restored, undone by a rollback, and kept by a confirmation', async () => {
    await using world = await AgentWorld.start();
    const { env, archive, read } = await makeRoot(world);
    await world.startAgent(shell, env);
    for (const id of ['c1', 'c3', 'c6']) world.files.set(id, { content: archive });
    expect(await world.command('c1', 'restore', bodyOf(archive, { confirm_seconds: 300 }))).toMatchObject({
      state: 'ok',
      message: 'Restored',
    });
    expect(await read()).toEqual(AFTER);
    expect(await world.command('c2', 'rollback')).toMatchObject({ state: 'ok', message: 'Rolled back' });
    expect(await read()).toEqual(BEFORE);
    expect(await world.command('c3', 'restore', bodyOf(archive, { confirm_seconds: 300 }))).toMatchObject({ state: 'ok' });
    expect(await world.command('c6', 'restore', bodyOf(archive, { confirm_seconds: 300 }))).toMatchObject({
      state: 'failed',
      message: 'An earlier change waits to be confirmed',
    });
    expect(await world.command('c4', 'confirm')).toMatchObject({ state: 'ok', message: 'Confirmed' });
    expect(await world.command('c5', 'rollback')).toMatchObject({ state: 'ok', message: 'Nothing to roll back' });
    expect(await read()).toEqual(AFTER);
  });

  test('settings that nobody confirms go back by themselves, also when the agent was killed in between, and the server hears of it', async () => {
    await using world = await AgentWorld.start();
    const { env, archive, read } = await makeRoot(world);
    const agent = await world.startAgent(shell, env);
    world.files.set('c1', { content: archive });
    await world.command('c1', 'restore', bodyOf(archive, { confirm_seconds: 20 }));
    killGroup(agent);
    expect(await read()).toEqual(AFTER);
    const after = world.heard.length;
    await world.restartAgent(shell, { ...env, CANOPY_BOOT_ID: 'boot-2' });
    await world.hear(
      'that it went back',
      (m) => m.topic === 'up/log' && String(m.json['message']).startsWith('Rolled back by itself'),
      after,
    );
    expect(await read()).toEqual(BEFORE);
  });

  test('settings that cannot be applied go back at once', async () => {
    await using world = await AgentWorld.start();
    const { env, archive, read } = await makeRoot(world, { CANOPY_APPLY_COMMAND: 'exit 4' });
    await world.startAgent(shell, env);
    world.files.set('c1', { content: archive });
    expect(await world.command('c1', 'restore', bodyOf(archive))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('code 4'),
    });
    expect(await read()).toEqual(BEFORE);
    world.files.set('c2', { content: Buffer.from('no archive') });
    expect(await world.command('c2', 'restore', bodyOf(Buffer.from('no archive')))).toMatchObject({
      message: 'This is no archive of settings',
    });
  });

  test('an image is flashed and answered after the boot with the firmware that runs; without a confirmation the former one comes back', async () => {
    await using world = await AgentWorld.start();
    const [flashed, undone] = [join(world.folder, 'flashed'), join(world.folder, 'undone')];
    const env = {
      CANOPY_FLASH_COMMAND: `[ "$CANOPY_KEEP" = 1 ] && cp "$CANOPY_IMAGE" ${flashed}`,
      CANOPY_ROLLBACK_COMMAND: `echo x >>${undone}`,
    };
    const old = { ...env, CANOPY_FIRMWARE: 'RUTX_R_00.07.14' };
    const agent = await world.startAgent(shell, old);
    world.files.set('c1', { content: IMAGE });
    const after = world.heard.length;
    await world.send(
      commandText('c1', 'firmware', bodyOf(IMAGE, { keep: 1, version: '00.07.14.2', confirm_seconds: 17 }), { timeout: 30 }),
    );
    await eventually('the image', async () => (await readFile(flashed).catch(() => undefined))?.equals(IMAGE));
    killGroup(agent);
    const next = await world.restartAgent(shell, { ...env, CANOPY_FIRMWARE: 'RUTX_R_00.07.14.2', CANOPY_BOOT_ID: 'boot-2' });
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'ok', message: 'Runs RUTX_R_00.07.14.2' });
    await eventually('the rollback', () => readFile(undone, 'utf8').catch(() => undefined));
    killGroup(next);
    const later = world.heard.length;
    await world.restartAgent(shell, { ...old, CANOPY_BOOT_ID: 'boot-3' });
    await world.hear(
      'that it went back',
      (m) => m.topic === 'up/log' && String(m.json['message']).includes('firmware was not confirmed'),
      later,
    );
    expect(await readFile(undone, 'utf8')).toBe('x\n');
  });

  test('a device that comes back with its old firmware, or has no way to flash, says so', async () => {
    await using world = await AgentWorld.start();
    const flashed = join(world.folder, 'flashed');
    const env = { CANOPY_FLASH_COMMAND: `: >${flashed}`, CANOPY_FIRMWARE: 'RUTX_R_00.07.14' };
    const agent = await world.startAgent(shell, env);
    world.files.set('c1', { content: IMAGE });
    await world.send(commandText('c1', 'firmware', bodyOf(IMAGE, { keep: 1, version: '00.07.1' }), { timeout: 30 }));
    await eventually('the flash', () =>
      stat(flashed).then(
        () => true,
        () => false,
      ),
    );
    killGroup(agent);
    const after = world.heard.length;
    const next = await world.restartAgent(shell, { ...env, CANOPY_BOOT_ID: 'boot-2' });
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'failed', message: 'It came back with RUTX_R_00.07.14' });
    killGroup(next);
    await world.restartAgent(shell, { CANOPY_FIRMWARE: 'Debian 12', CANOPY_BOOT_ID: 'boot-2' });
    expect(await world.command('c2', 'firmware', bodyOf(IMAGE))).toMatchObject({
      state: 'failed',
      message: 'There is no way to flash this device',
    });
  });

  test('an image that ends too early is thrown away before anything is flashed; so is a log of 500 MB before it is sent', async () => {
    await using world = await AgentWorld.start();
    const flashed = join(world.folder, 'flashed');
    await world.startAgent(shell, { CANOPY_FLASH_COMMAND: `: >${flashed}`, CANOPY_FIRMWARE: 'RUTX_R_00.07.14' });
    world.files.set('c1', { content: IMAGE.subarray(0, IMAGE.length - 1) });
    expect(await world.command('c1', 'firmware', bodyOf(IMAGE, { keep: 1, version: '00.07.15' }), { timeout: 30 })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Wrong checksum'),
    });
    await expect(stat(flashed)).rejects.toThrow('ENOENT');
    const log = join(world.folder, 'log');
    await writeFile(log, '');
    await truncate(log, 500 * 1024 * 1024);
    expect(await world.command('c2', 'send', `path=${log}\n`, { timeout: 30 })).toMatchObject({
      state: 'failed',
      message: '500 MB are too much: the server takes 80 MB',
    });
    expect(world.received).toEqual([]);
  });

  test('a check waits until all of it holds, and says what did not', async () => {
    await using world = await AgentWorld.start();
    const tools = join(world.folder, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'gsmctl'), '#!/bin/sh\n[ "$1" = -q ] && echo -101\n', { mode: 0o755 });
    await world.startAgent(shell, { PATH: `${tools}:${process.env['PATH']}` });
    const go = join(world.folder, 'go');
    await world.send(commandText('c1', 'check', `command=[ -e ${go} ]\nsignal_min=-105\nwithin=30\n`, { timeout: 40 }));
    await world.hear('running', (m) => m.json['state'] === 'running');
    await writeFile(go, '');
    expect((await world.result('c1')).json).toMatchObject({ state: 'ok', message: 'All checks hold' });
    expect(await world.command('c2', 'check', 'signal_min=-95\ncommand=exit 3\nwithin=0\n')).toMatchObject({
      state: 'failed',
      message: 'signal -101 dBm, at least -95 wanted; the command ended with code 3',
    });
  });
});

test('without curl GNU wget moves the files, and the password is never in the process list', async () => {
  await using world = await AgentWorld.start();
  const PATH = await makePathWithout(join(world.folder, 'bin'), ['curl']);
  await world.startAgent('sh', { PATH });
  const path = join(world.folder, 'file');
  world.files.set('c1', { content: IMAGE, breaksAfter: 200_000 });
  await world.send(commandText('c1', 'fetch', bodyOf(IMAGE, { path }), { timeout: 30 }));
  const lines: string[] = [];
  await eventually('the result', async () => {
    lines.push(await readCommandLines());
    return world.heard.find((m) => m.json['id'] === 'c1' && m.json['state'] !== 'running');
  });
  expect((await readFile(path)).equals(IMAGE)).toBe(true);
  expect(await world.command('c2', 'send', `path=${path}\n`)).toMatchObject({ state: 'ok' });
  expect(world.received[0]?.bytes.equals(IMAGE)).toBe(true);
  expect(lines.join('\n')).not.toContain('p'.repeat(40));
  expect(lines.join('\n')).not.toContain(Buffer.from(`${world.keys[0]}:`).toString('base64').slice(0, 24));
});
