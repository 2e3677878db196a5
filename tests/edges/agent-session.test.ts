import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, killGroup, makePathWithout, readCommandLines, readRemains, SHELLS } from './agent-machine.ts';
import { AGENT, AgentWorld, type Program } from './agent-world.ts';

const isGone = (m: { topic: string; json: Record<string, unknown> }) => m.topic === 'up/status' && m.json['online'] === false;

async function ended(program: Program): Promise<number | null> {
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  return program.exitCode;
}

describe('joining', () => {
  test('the agent sends what PROTOCOL.md asks for, escaped, and takes the credentials in any order', async () => {
    await using world = await AgentWorld.start();
    const name = 'quay "4" \\ $(id) ø';
    const program = world.runAgent(['join', '--url', `${world.url}/`, '--code', 'K7QM-2V9D-XR4T', '--name', name], 'sh', {
      CANOPY_MODEL: 'RUTX50',
    });
    expect(await ended(program), program.said()).toBe(0);
    expect(world.enrolments).toHaveLength(1);
    expect(world.enrolments[0]?.headers).toMatchObject({ accept: 'text/plain', 'content-type': 'application/json' });
    expect(world.enrolments[0]?.body).toMatchObject({
      code: 'K7QM-2V9D-XR4T',
      serial: 'TEST-1',
      mac: '00:1E:42:00:00:01',
      model: 'RUTX50',
      name,
      agent: 'canopy-agent/1',
    });
    const file = join(world.folder, 'canopy/agent.conf');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = world.runAgent(['join', '--url', world.url, '--code', 'OTHER']);
    expect(await ended(again)).toBe(0);
    expect(again.said()).toContain('already joined');
    expect(world.enrolments).toHaveLength(1);
  });

  test.each([
    [403, {}, 'refused the code'],
    [429, { 'retry-after': '17' }, 'try again in 17 s'],
    [500, {}, 'HTTP 500'],
  ])('a refusal with %i is said in words and leaves nothing behind', async (status, headers, words) => {
    await using world = await AgentWorld.start();
    world.refusal = { status, headers };
    const program = world.runAgent(['join', '--url', world.url, '--code', 'WRONG']);
    expect(await ended(program)).toBe(1);
    expect(program.said()).toContain(words);
    await expect(stat(join(world.folder, 'canopy/agent.conf'))).rejects.toThrow('ENOENT');
    const run = world.runAgent(['run']);
    expect(await ended(run)).toBe(1);
    expect(run.said()).toContain('has not joined');
  });

  test('without curl it joins by wget and still reports a refusal', async () => {
    await using world = await AgentWorld.start();
    const PATH = await makePathWithout(join(world.folder, 'bin'), ['curl']);
    world.refusal = { status: 403, headers: {} };
    const refused = world.runAgent(['join', '--url', world.url, '--code', 'WRONG'], 'sh', { PATH });
    expect(await ended(refused)).toBe(1);
    expect(refused.said()).toContain('refused the code');
    world.refusal = undefined;
    const program = world.runAgent(['join', '--url', world.url, '--code', 'RIGHT'], 'sh', { PATH });
    expect(await ended(program), program.said()).toBe(0);
  });

  test('the one-line installation fetches the agent, joins and says how to run it; uninstall removes all of it', async () => {
    await using world = await AgentWorld.start();
    const home = join(world.folder, 'home');
    await chmod(world.folder, 0o755);
    await mkdir(home);
    await chmod(home, 0o777);
    // Not as root: the test must not register a service with the machine that it runs on.
    const uid = process.getuid?.() === 0 ? 65_534 : undefined;
    const dir = join(home, 'canopy');
    const line = `curl -fsS ${world.url}/agent/canopy-agent | sh -s -- install --url ${world.url} --code K7QM --dir ${dir}`;
    const program = world.spawn('sh', ['-c', line], world.env, uid);
    expect(await ended(program), program.said()).toBe(0);
    expect(program.said()).toContain(`${dir}/canopy-agent run`);
    expect(await readFile(join(dir, 'canopy-agent'), 'utf8')).toBe(await readFile(AGENT, 'utf8'));
    world.spawn(join(dir, 'canopy-agent'), ['run'], { ...world.env, CANOPY_DIR: dir }, uid);
    await world.hello();
    await eventually('status says that it is online', async () => {
      const status = world.spawn(join(dir, 'canopy-agent'), ['status', '--dir', dir], {}, uid);
      return (await ended(status)) === 0 && status.said().includes('online since');
    });
    for (const name of ['tunnel_key', 'collect.allow', 'hotspot.accounts']) await writeFile(join(dir, name), 'of its own\n');
    const remove = world.spawn(join(dir, 'canopy-agent'), ['uninstall', '--dir', dir], {}, uid);
    expect(await ended(remove), remove.said()).toBe(0);
    await world.hear('goodbye', isGone);
    await expect(stat(dir)).rejects.toThrow('ENOENT');
    world.refusal = { status: 403, headers: {} };
    expect(await ended(world.spawn('sh', ['-c', line], world.env, uid))).toBe(1);
    await expect(stat(dir)).rejects.toThrow('ENOENT');
  });
});

describe.each(SHELLS)('a session under %s', (shell) => {
  test('the agent says hello after its subscription is acknowledged, then reports repeatedly', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    expect((await world.hello()).json).toMatchObject({
      v: 1,
      serial: 'TEST-1',
      mac: '00:1E:42:00:00:01',
      boot_id: 'boot-1',
      report_seconds: 2,
      agent: 'canopy-agent/1',
    });
    const log = await eventually('both lines are in the log', async () => {
      const text = await readFile(join(world.folder, 'mosquitto.log'), 'utf8');
      return text.includes('up/hello') && text;
    });
    const acknowledged = log.indexOf(`Sending SUBACK to ${world.keys[0]}`);
    expect(acknowledged).toBeGreaterThan(0);
    expect(acknowledged).toBeLessThan(log.indexOf('up/hello'));
    const first = await world.hear('status', (m) => m.topic === 'up/status');
    expect(first.json).toMatchObject({
      uptime: expect.any(Number),
      load1: expect.any(Number),
      mem_total_kb: expect.any(Number),
      interfaces: expect.any(Array),
    });
    const telemetry = await world.hear('telemetry', (m) => m.topic === 'up/telemetry');
    expect(telemetry.json).toEqual({
      at: expect.any(Number),
      values: expect.objectContaining({ load5: expect.any(Number), processes: expect.any(Number), disk_used_kb: expect.any(Number) }),
    });
    await world.hear('another status', (m) => m.topic === 'up/status', world.heard.indexOf(first) + 1);
  });

  test('a power cut makes the broker send the last will', async () => {
    await using world = await AgentWorld.start();
    killGroup(await world.startAgent(shell));
    await world.hear('the will', isGone);
  });

  test('when only the agent itself is killed, its session ends too and the will is sent', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    agent.kill('SIGKILL');
    await world.hear('the will', isGone);
    await eventually('nothing of it runs', async () => (await readRemains(join(world.folder, 'canopy'))) === '');
  });

  test('a stopped agent says goodbye and leaves no process', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    agent.kill('SIGTERM');
    await world.hear('goodbye', isGone);
    expect(await ended(agent), agent.said()).toBe(0);
    await eventually('nothing of it runs', async () => (await readRemains(join(world.folder, 'canopy'))) === '');
  });

  test('it comes back after a restart of the broker', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    await world.stopBroker();
    const after = world.heard.length;
    await world.startBroker();
    await world.hello(after);
    const seen = await world.hear('a word about it', (m) => m.topic === 'up/log', after);
    expect(seen.json).toEqual({ level: 'info', message: expect.stringMatching(/^Connected again after \d+ s$/) });
    expect(await world.command('c1', 'run', 'echo back')).toMatchObject({ state: 'ok', output: 'back\n' });
  });

  test('where there is no stdbuf, it still says hello after the subscription and after a restart of the broker', async () => {
    await using world = await AgentWorld.start();
    const PATH = await makePathWithout(join(world.folder, 'bin'), ['stdbuf', 'setsid', 'od', 'timeout']);
    await world.startAgent(shell, { PATH });
    expect(await world.command('c1', 'run', 'echo first')).toMatchObject({ state: 'ok', output: 'first\n' });
    await world.stopBroker();
    const after = world.heard.length;
    await world.startBroker();
    await world.hello(after);
    expect(await world.command('c2', 'run', 'echo second')).toMatchObject({ state: 'ok', output: 'second\n' });
  });
});

test('neither the code nor the password ever shows in the process list', async () => {
  await using world = await AgentWorld.start();
  const secrets = ['SECRET-CODE', 'p'.repeat(40)];
  let looks = 0;
  let seen = '';
  const look = async () => {
    const lines = await readCommandLines();
    looks += 1;
    for (const secret of secrets) if (lines.replace(/.*--code SECRET-CODE.*/g, '').includes(secret)) seen += lines;
  };
  // The code is an argument of the agent itself, given by the person who types it; no program that the agent starts may show it.
  const program = world.runAgent(['join', '--url', world.url, '--code', 'SECRET-CODE']);
  while (program.exitCode === null) await look();
  world.runAgent(['run']);
  await eventually('a second report, and a list that was read often enough', async () => {
    await look();
    return looks > 10 && world.heard.filter((m) => m.topic === 'up/status').length > 1;
  });
  expect(seen).toBe('');
});

test('credentials that the broker does not know are said in words and tried again', async () => {
  await using world = await AgentWorld.start();
  const real = world.keys[0];
  world.keys[0] = 'a'.repeat(20);
  await ended(world.runAgent(['join', '--url', world.url, '--code', 'X']));
  const agent = world.runAgent(['run']);
  await eventually('words', () => agent.said().includes('does not know these credentials') && agent.said().includes('next try in'));
  expect(agent.exitCode).toBeNull();
  expect(real).not.toBe(world.keys[0]);
  // A device that was removed while it was away joins again with a new code.
  const without = world.runAgent(['join', '--url', world.url, '--code', '']);
  await ended(without);
  expect(without.said()).toContain('already joined');
  const again = world.runAgent(['join', '--url', world.url, '--code', 'NEW']);
  expect(await ended(again), again.said()).toBe(0);
  expect(again.said()).toContain(`joined as ${world.keys[1]}`);
});

test('over TLS it trusts the authority it was given, and nobody else', async () => {
  await using world = await AgentWorld.start({ tls: true });
  const agent = await world.startAgent('sh', { CANOPY_CAFILE: join(world.folder, 'ca.pem') });
  expect(await world.command('c1', 'run', 'echo private')).toMatchObject({ state: 'ok', output: 'private\n' });
  killGroup(agent);
  const dir = join(world.folder, 'strict');
  await ended(world.runAgent(['join', '--url', world.url, '--code', 'X'], 'sh', { CANOPY_DIR: dir }));
  const strict = world.runAgent(['run'], 'sh', { CANOPY_DIR: dir });
  await eventually('it gives up for now', () => strict.said().includes('next try in'));
  expect(strict.said()).toMatch(/[Tt][Ll][Ss]|certificate/);
  expect(world.heard.some((m) => m.device === world.keys[1])).toBe(false);
});
