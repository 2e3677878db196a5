import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, killGroup, readCommandLines, SHELLS } from './agent-machine.ts';
import { AgentWorld, commandText } from './agent-world.ts';

describe.each(SHELLS)('commands under %s', (shell) => {
  test('run answers exit code and output byte for byte where JSON can: newlines, quotes, ANSI, invalid UTF-8, NUL', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const body = `printf 'a "b"\\n\\tc\\\\d\\r\\033[31m \\377\\303( \\000 \\303\\270\\346\\227\\245\\360\\237\\230\\200\\n'; echo "it's fine" >&2; exit 7\n\n`;
    const result = await world.command('c1', 'run', body);
    expect(result).toEqual({
      id: 'c1',
      state: 'failed',
      code: 7,
      message: 'exit code 7',
      output: 'a "b"\n\tc\\d\r\u001b[31m \ufffd\ufffd( \u0000 ø日😀\nit\'s fine\n',
      truncated: false,
    });
    expect(world.heard.filter((m) => m.json['id'] === 'c1').map((m) => m.json['state'])).toEqual(['running', 'failed']);
  });

  test('a body of several lines with quotes and here-documents reaches sh as it was sent', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const body = 'x=\'single "double" $HOME\'\ncat <<"EOF"\n`not run` $(nor this) %s \\n\nEOF\nprintf "%s\\n" "$x"\numask';
    expect(await world.command('c1', 'run', body)).toMatchObject({
      state: 'ok',
      code: 0,
      output: '`not run` $(nor this) %s \\n\nsingle "double" $HOME\n0022\n',
    });
  });

  test('watch says what is printed while more of it comes, and the whole in the end', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const result = await world.command(
      'c1',
      'watch',
      'echo "one \\"1\\""; sleep 3; head -c 5000 /dev/zero | tr "\\000" x; sleep 3; echo; echo end',
    );
    expect(result).toMatchObject({ state: 'ok', code: 0, output: `one "1"\n${'x'.repeat(5000)}\nend\n`, truncated: false });
    const shown = world.heard.filter(({ json }) => json['id'] === 'c1' && json['state'] === 'running' && 'output' in json);
    expect(shown.map(({ json }) => [json['output'], json['truncated']])).toEqual([
      ['one "1"\n', false],
      ['x'.repeat(4096), true],
    ]);
  });

  test('a command that takes too long is killed with everything it started', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const mark = `1${process.pid}7`;
    const result = await world.command('c1', 'run', `echo started; sleep ${mark}1 & sh -c 'trap "" TERM; sleep ${mark}2; sleep ${mark}3'`, {
      timeout: 1,
    });
    expect(result).toMatchObject({ state: 'failed', code: 124, message: 'timed out', output: 'started\n' });
    expect(await readCommandLines()).not.toContain(`sleep ${mark}`);
  });

  test('output is cut to 64 KiB without disturbing the command, and to what a payload may carry', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const long = await world.command(
      'c1',
      'run',
      'i=0; while [ $i -lt 3000 ]; do echo "$i æøå 0123456789 0123456789 0123456789"; i=$((i+1)); done; exit 5',
    );
    expect(long).toMatchObject({ state: 'failed', code: 5, truncated: true });
    expect(Buffer.byteLength(String(long['output']))).toBeGreaterThan(65_500);
    expect(Buffer.byteLength(String(long['output']))).toBeLessThanOrEqual(65_536);
    const after = world.heard.length;
    await world.send(commandText('c2', 'run', 'head -c 70000 /dev/zero | tr "\\000" "\\001"'));
    const heavy = await world.result('c2', after);
    expect(heavy.json).toMatchObject({ state: 'ok', truncated: true });
    expect(heavy.payload.length).toBeLessThanOrEqual(128 * 1024);
    expect(String(heavy.json['output'])).toMatch(/^\u0001{10000,}$/);
  });

  test('what a command leaves in the background does not hold its answer back', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    expect(await world.command('c1', 'run', 'sleep 60 & echo done')).toMatchObject({ state: 'ok', output: 'done\n' });
  });

  test('a repeated id repeats the result and runs nothing, also after a restart of the agent [DV2]', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    const counter = join(world.folder, 'counter');
    const body = `echo x >>${counter}; echo ran; exit 3`;
    const first = await world.command('c1', 'run', body);
    expect(await world.command('c1', 'run', body)).toEqual(first);
    killGroup(agent);
    await world.restartAgent(shell);
    expect(await world.command('c1', 'run', body)).toEqual(first);
    expect(await readFile(counter, 'utf8')).toBe('x\n');
  });

  test('a command that a power cut interrupted is answered as interrupted, not run again', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    const counter = join(world.folder, 'counter');
    await world.send(commandText('c1', 'run', `echo x >>${counter}; sleep 60`));
    await eventually('it runs', () => readFile(counter, 'utf8').catch(() => undefined));
    killGroup(agent);
    const after = world.heard.length;
    await world.restartAgent(shell);
    const result = (await world.result('c1', after)).json;
    expect(result).toMatchObject({ state: 'failed', message: expect.stringContaining('Interrupted') });
    expect(await world.command('c1', 'run', `echo x >>${counter}`)).toEqual(result);
    expect(await readFile(counter, 'utf8')).toBe('x\n');
  });

  test('a result that could not be sent is sent after the connection came back', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const go = join(world.folder, 'go');
    await world.send(commandText('c1', 'run', `while ! [ -e ${go} ]; do sleep 1; done; echo finished`, { timeout: 60 }));
    await world.hear('running', (m) => m.json['state'] === 'running');
    await world.stopBroker();
    await writeFile(go, '');
    await eventually('the result is kept', () =>
      stat(join(world.folder, 'canopy/results/1.unsent')).then(
        () => true,
        () => false,
      ),
    );
    await world.startBroker();
    expect((await world.result('c1')).json).toMatchObject({ state: 'ok', output: 'finished\n' });
  });

  test('two quick commands run one after the other, and refresh overtakes', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    await world.send(commandText('slow', 'run', 'sleep 2; echo one'));
    await world.send(commandText('next', 'run', 'echo two'));
    await world.send(commandText('look', 'refresh', ''));
    await world.result('next');
    const ended = world.heard.filter((m) => m.topic === 'up/result' && m.json['state'] === 'ok').map((m) => m.json['id']);
    expect(ended).toEqual(['look', 'slow', 'next']);
    expect(world.heard.findIndex((m) => m.json['id'] === 'next')).toBeGreaterThan(
      world.heard.findIndex((m) => m.json['id'] === 'slow' && m.json['state'] === 'ok'),
    );
  });

  test('an expired command is refused; a clock that is far off, of 1970 too, measures from the arrival', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    expect(await world.command('late', 'run', 'echo no', { deadline: -5, sent: -30 })).toMatchObject({
      state: 'failed',
      message: 'expired',
    });
    const hour = 3600;
    expect(await world.command('ahead', 'run', 'echo yes', { deadline: -hour + 60, sent: -hour })).toMatchObject({
      state: 'ok',
      output: 'yes\n',
    });
    expect(await world.command('behind', 'run', 'echo yes', { deadline: hour + 60, sent: hour })).toMatchObject({ state: 'ok' });
    // A device whose clock is of 1970 sees the server's time that far ahead.
    const since1970 = Math.floor(Date.now() / 1000);
    expect(await world.command('old', 'run', 'echo yes', { deadline: since1970 + 60, sent: since1970 })).toMatchObject({ state: 'ok' });
    expect(await world.command('over', 'run', 'echo no', { deadline: hour - 60, sent: hour })).toMatchObject({ message: 'expired' });
  });

  test('settings change how often it reports, at once and after a restart, and hello says so', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    await world.send(commandText('slow', 'run', 'sleep 2'));
    expect(await world.command('c1', 'settings', 'report_seconds=77\n')).toMatchObject({ state: 'ok', message: 'Reports every 77 s' });
    await world.hear('a hello with it', (m) => m.topic === 'up/hello' && m.json['report_seconds'] === 77);
    for (const [id, body] of Object.entries({
      none: '',
      small: 'report_seconds=1\n',
      words: 'report_seconds=5; reboot\n',
      long: 'report_seconds=999999999\n',
    }))
      expect(await world.command(id, 'settings', body)).toMatchObject({ state: 'failed', message: 'malformed command' });
    killGroup(agent);
    const before = world.heard.length;
    await world.restartAgent(shell);
    expect(world.heard.slice(before).find((m) => m.topic === 'up/hello')?.json).toMatchObject({ report_seconds: 77 });
  });

  test('a command that expires while another one runs is not run', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    await world.send(commandText('slow', 'run', 'sleep 3'));
    expect(await world.command('late', 'run', 'echo no', { deadline: 1 })).toMatchObject({ state: 'failed', message: 'expired' });
  });

  test('reboot says running and goodbye, reboots once, and answers after the boot', async () => {
    await using world = await AgentWorld.start();
    const rebooted = join(world.folder, 'rebooted');
    const env = { CANOPY_REBOOT_COMMAND: `echo x >>${rebooted}` };
    const agent = await world.startAgent(shell, env);
    const sent = commandText('c1', 'reboot', '');
    await world.send(sent);
    await eventually('the reboot', () => readFile(rebooted, 'utf8').catch(() => undefined));
    // What was published before the reboot may still be on its way to these ears.
    const states = () => world.heard.filter((m) => m.topic !== 'up/hello').map((m) => m.json['state'] ?? m.json['online']);
    await eventually('the goodbye', () => states().includes(false));
    const before = states();
    expect(before.indexOf('running')).toBeGreaterThanOrEqual(0);
    expect(before.indexOf(false)).toBeGreaterThan(before.indexOf('running'));
    killGroup(agent);
    const after = world.heard.length;
    await world.restartAgent(shell, { ...env, CANOPY_BOOT_ID: 'boot-2' });
    const result = await world.result('c1', after);
    expect(result.json).toMatchObject({ state: 'ok', code: 0, message: expect.stringMatching(/^Online again after \d+ s$/) });
    expect(world.heard.indexOf(result)).toBeGreaterThan(world.heard.findIndex((m, i) => i >= after && m.topic === 'up/hello'));
    const repeatedAt = world.heard.length;
    await world.send(sent);
    expect((await world.result('c1', repeatedAt)).json).toEqual(result.json);
    expect(await readFile(rebooted, 'utf8')).toBe('x\n');
  });

  test('a reboot that is sent again before the booted agent could say hello is not done again [B4]', async () => {
    await using world = await AgentWorld.start();
    const rebooted = join(world.folder, 'rebooted');
    const env = { CANOPY_REBOOT_COMMAND: `echo x >>${rebooted}` };
    const agent = await world.startAgent(shell, env);
    await world.send(commandText('c1', 'reboot', ''), { retain: true });
    await eventually('the reboot', () => readFile(rebooted, 'utf8').catch(() => undefined));
    killGroup(agent);
    const after = world.heard.length;
    // The first hello after the boot does not get through; the command is delivered beside it.
    const tools = join(world.folder, 'tools');
    const isOut = join(world.folder, 'out');
    await mkdir(tools);
    await writeFile(isOut, '');
    const publish = `#!/bin/sh\n[ ! -e ${isOut} ] || { rm ${isOut}; exit 1; }\nPATH=${process.env['PATH']} exec mosquitto_pub "$@"\n`;
    await writeFile(join(tools, 'mosquitto_pub'), publish, { mode: 0o755 });
    await world.restartAgent(shell, { ...env, CANOPY_BOOT_ID: 'boot-2', PATH: `${tools}:${process.env['PATH']}` });
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'ok', message: expect.stringMatching(/^Online again/) });
    expect(await readFile(rebooted, 'utf8')).toBe('x\n');
  });

  test('a reboot that fails is reported, and the device is online again', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell, { CANOPY_REBOOT_COMMAND: 'exit 9' });
    expect(await world.command('c1', 'reboot')).toMatchObject({ state: 'failed', message: 'The reboot command failed with code 9' });
    expect(await world.command('c2', 'run', 'echo still here')).toMatchObject({ state: 'ok' });
  });

  test('nothing that is received is ever a command, a file name or a format, except the body of run [DV3]', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const trap = join(world.folder, 'trap');
    const bombs = [`$(touch ${trap})`, `\`touch ${trap}\``, `; touch ${trap} #`, `| touch ${trap}`, `' ; touch ${trap} ; '`, `%s%n%d\\n`];
    const before = world.heard.length;
    const now = Math.floor(Date.now() / 1000);
    for (const bomb of bombs) {
      await world.send(`canopy/1 ${bomb} run ${now + 60} 5 ${now}\ntouch ${trap}`);
      await world.send(`canopy/1 ../../etc/x run ${now + 60} 5 ${now}\ntouch ${trap}`);
      await world.send(`canopy/1 a run ${bomb} 5 ${now}\ntouch ${trap}`);
      await world.send(`${bomb}\n${bomb}`);
    }
    await world.send(Buffer.from([0, 255, 10, 0, 36, 40]));
    await world.send('');
    await world.send(`canopy/1 a${'b'.repeat(70)} run ${now + 60} 5 ${now}\ntouch ${trap}`);
    await world.send(`canopy/1 spaced  run ${now + 60} 5 ${now}\ntouch ${trap}`);
    await world.send(`canopy/1 octal run 0${now + 60} 5 ${now}\ntouch ${trap}`);
    await world.send(`canopy/2 other run ${now + 60} 5 ${now}\ntouch ${trap}`);
    expect((await world.result('other')).json).toMatchObject({ state: 'failed', message: 'malformed command' });
    for (const [i, bomb] of bombs.entries()) {
      expect(await world.command(`v${i}`, bomb.replaceAll(' ', '_'), bomb)).toMatchObject({ state: 'failed', message: 'unknown verb' });
      expect(await world.command(`r${i}`, 'refresh', bomb)).toMatchObject({ state: 'ok' });
    }
    const answered = new Set(world.heard.slice(before).flatMap((m) => (m.topic === 'up/result' ? [m.json['id']] : [])));
    expect([...answered].filter((id) => !/^[vr]\d$/.test(String(id))).sort()).toEqual(['a', 'octal', 'other', 'spaced']);
    await expect(stat(trap)).rejects.toThrow('ENOENT');
    expect(await world.command('last', 'run', `echo '${bombs[0]}'`)).toMatchObject({ output: `${bombs[0]}\n` });
  });

  test('forget answers, deletes the credentials and ends the agent', async () => {
    await using world = await AgentWorld.start();
    const agent = await world.startAgent(shell);
    expect(await world.command('c1', 'forget')).toMatchObject({ state: 'ok' });
    if (agent.exitCode === null) await once(agent, 'exit');
    expect(agent.exitCode).toBe(0);
    await expect(stat(join(world.folder, 'canopy/agent.conf'))).rejects.toThrow('ENOENT');
  });
});

test('the results of the last 50 commands are kept, the long outputs of the last five only', async () => {
  await using world = await AgentWorld.start();
  await world.startAgent();
  const body = 'head -c 6000 /dev/zero | tr "\\000" a; echo';
  const long = await world.command('long', 'run', body);
  expect(String(long['output'])).toHaveLength(6001);
  for (let i = 1; i <= 49; i += 1) await world.command(`c${i}`, 'nothing');
  expect(await world.command('long', 'run', body)).toMatchObject({ id: 'long', state: 'ok', code: 0, truncated: true });
  await world.command('c50', 'nothing');
  const files = await readdir(join(world.folder, 'canopy/results'));
  expect(files.filter((name) => name.endsWith('.head'))).toHaveLength(50);
  expect(String((await world.command('long', 'run', body))['output'])).toHaveLength(6001);
});
