import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, makePathWithout, readCommandLines, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

const SECRET = "N3w$'\\`: pass#word".replace(' ', '_');
const BEFORE = 'root:$6$former$hash:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n';

/** A system of its own for an agent, whose program for passwords does what `line` of awk makes of the shadow file's lines. */
async function makeSystem(
  world: AgentWorld,
  { hash, code = 0, more = {} }: { hash: string; code?: number; more?: Record<string, string> },
) {
  const root = join(world.folder, 'root');
  await mkdir(join(root, 'etc'), { recursive: true });
  const shadow = join(root, 'etc/shadow');
  await writeFile(shadow, BEFORE, { mode: 0o640 });
  const program = join(world.folder, 'set-password');
  await writeFile(
    program,
    `#!/bin/sh
IFS=: read -r user password
made=${hash}
awk -F: -v made="$made" '$1 == "root" { print "root:" made ":20000:0:99999:7:::"; next } { print }' '${shadow}' >'${shadow}.x'
cat '${shadow}.x' >'${shadow}' && rm '${shadow}.x'
${more.waits ? `touch '${more.waits}' && sleep 1` : ''}
exit ${code}
`,
    { mode: 0o755 },
  );
  return { shadow, env: { CANOPY_ROOT: root, CANOPY_PASSWORD_COMMAND: program, ...(more.PATH ? { PATH: more.PATH } : {}) } };
}

const REAL = `$(printf '%s\\n' "$password" | openssl passwd -6 -salt abcdefgh -stdin)`;
const body = `user=root\npassword=${SECRET}\n`;

describe.each(SHELLS)('passwords under %s', (shell) => {
  test('a new password is tried before the former one is forgotten, and shows in no process, answer or file', async () => {
    await using world = await AgentWorld.start();
    const waits = join(world.folder, 'waits');
    const { shadow, env } = await makeSystem(world, { hash: REAL, more: { waits } });
    await world.startAgent(shell, env);
    const answer = world.command('c1', 'password', body);
    await eventually('the program for passwords', () => stat(waits).catch(() => undefined));
    expect(await readCommandLines()).not.toContain(SECRET);
    expect(await answer).toMatchObject({ state: 'ok', code: 0, message: 'The new password of root works' });
    const made = execFileSync('openssl', ['passwd', '-6', '-salt', 'abcdefgh', '-stdin'], {
      input: `${SECRET}\n`,
      encoding: 'utf8',
    }).trim();
    expect(await readFile(shadow, 'utf8')).toContain(`root:${made}:20000`);
    expect(JSON.stringify(world.heard)).not.toContain('pass#word');
    // The answer leaves just before the command is cleared away.
    await eventually('no file of the agent that holds the password', async () => {
      const entries = await readdir(join(world.folder, 'canopy'), { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const texts = await Promise.all(paths.map((path) => readFile(path, 'latin1').catch(() => '')));
      return texts.every((text) => !text.includes('pass#word'));
    });
  });

  test('a password that does not work, or that could not be set, is undone, and the answer says which one is in force', async () => {
    await using world = await AgentWorld.start();
    const { shadow, env } = await makeSystem(world, { hash: `$(printf 'other\\n' | openssl passwd -6 -salt abcdefgh -stdin)` });
    await world.startAgent(shell, env);
    const refused = { state: 'failed', message: 'The former password of root is in force: it does not work' };
    expect(await world.command('c1', 'password', body)).toMatchObject(refused);
    expect(await readFile(shadow, 'utf8')).toBe(BEFORE);
    expect((await stat(shadow)).mode & 0o777).toBe(0o640);
    await makeSystem(world, { hash: REAL, code: 4 });
    expect(await world.command('c2', 'password', body)).toMatchObject({ message: expect.stringContaining('code 4') });
    expect(await readFile(shadow, 'utf8')).toBe(BEFORE);
    await makeSystem(world, { hash: '!' });
    expect(await world.command('c3', 'password', body)).toMatchObject({ message: expect.stringContaining('the device kept none') });
    expect(await readFile(shadow, 'utf8')).toBe(BEFORE);
    for (const [id, wrong] of [
      ['c4', 'user=nobody\npassword=abc\n'],
      ['c5', 'user=-x\npassword=abc\n'],
      ['c6', 'user=root\npassword=\n'],
      ['c7', 'user=root\npassword=two words\n'],
    ] as const)
      expect(await world.command(id, 'password', wrong)).toMatchObject({ state: 'failed' });
    expect(await readFile(shadow, 'utf8')).toBe(BEFORE);
  });

  test('a device with nothing to compute hashes with is content with a new one, and says so; perl will do, too', async () => {
    await using world = await AgentWorld.start();
    const bare = await makePathWithout(join(world.folder, 'bare'), ['openssl', 'perl', 'lua']);
    const perl = await makePathWithout(join(world.folder, 'perl'), ['openssl', 'lua']);
    const hash = `$(printf '%s\\n' "$password" | /usr/bin/openssl passwd -6 -salt abcdefgh -stdin)`;
    const { env } = await makeSystem(world, { hash, more: { PATH: bare } });
    const agent = await world.startAgent(shell, env);
    expect(await world.command('c1', 'password', body)).toMatchObject({ state: 'ok', message: expect.stringContaining('nothing to try') });
    agent.kill('SIGTERM');
    await eventually('its end', () => agent.exitCode !== null);
    await world.startAgent(shell, (await makeSystem(world, { hash, more: { PATH: perl } })).env);
    expect(await world.command('c2', 'password', body)).toMatchObject({ state: 'ok', message: 'The new password of root works' });
  });
});
