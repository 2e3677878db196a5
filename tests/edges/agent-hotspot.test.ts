import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makePathWithout, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

const run = promisify(execFile);
const MAC = '02:00:00:00:00:0a';

/** As `ndsctl json` of nodogsplash 5 writes it: one member a line. */
const clients = (kilobytes: number) => `{
"client_list_length":1,
"clients":{
"${MAC}":{
"id":1,
"ip":"10.1.0.7",
"mac":"${MAC}",
"added":1767225600,
"active":1767225700,
"duration":100,
"token":"4ab3",
"state":"Authenticated",
"downloaded":${kilobytes},
"avg_down_speed":0.00,
"uploaded":20,
"avg_up_speed":0.00
}
}
}`;

/** A device with nodogsplash: its folder below a root of its own, and a program `ndsctl` that writes down how it was called. */
async function makeHotspot(world: AgentWorld, kilobytes = 100) {
  const folder = join(world.folder, 'nodogsplash');
  const root = join(world.folder, 'root');
  const calls = join(world.folder, 'ndsctl.calls');
  await mkdir(folder);
  await mkdir(join(root, 'etc/nodogsplash'), { recursive: true });
  await writeFile(join(root, 'etc/nodogsplash/nodogsplash.conf'), 'GatewayInterface br-guest\n');
  const script = `#!/bin/sh
echo "$*" >>'${calls}'
case $1 in
  json) cat <<'JSON'
${clients(kilobytes)}
JSON
  ;;
  status) echo 'Managed interface: br-guest' ;;
esac
`;
  await writeFile(join(folder, 'ndsctl'), script, { mode: 0o755 });
  return { root, env: { PATH: `${folder}:${process.env['PATH']}`, CANOPY_ROOT: root }, calls: () => readFile(calls, 'utf8') };
}

/** What nodogsplash does when somebody types a name and a password. */
async function signIn(world: AgentWorld, name: string, password: string): Promise<string> {
  const { stdout } = await run(join(world.folder, 'canopy', 'hotspot-auth'), ['auth_client', MAC, name, password]).catch(() => ({
    stdout: 'refused',
  }));
  return stdout.trim();
}

describe.each(SHELLS)('The hotspot of a device under %s', (shell) => {
  test('accounts let people in for as long as they last, are listed with who is signed in, and go', async () => {
    await using world = await AgentWorld.start();
    const hotspot = await makeHotspot(world);
    await world.startAgent(shell, hotspot.env);
    const name = "a'b$(id)";
    const added = await world.command('c1', 'hotspot', `do=add\nindex=1\naccount=${name} p$(reboot) 60 0 0\naccount=old old 0 0 1000\n`);
    expect(added).toMatchObject({ state: 'ok', message: 'Done' });
    expect(await readFile(join(hotspot.root, 'etc/nodogsplash/nodogsplash.conf'), 'utf8')).toContain('BinAuth ');
    expect(await signIn(world, name, 'wrong')).toBe('refused');
    expect(await signIn(world, 'old', 'old')).toBe('refused');
    expect(await signIn(world, name, 'p$(reboot)')).toBe('3600 0 0');
    const listed = await world.command('c2', 'hotspot', 'do=list\nindex=1\n');
    expect(JSON.parse(String(listed['output']))).toEqual({
      accounts: [
        { name, minutes: 60, megabytes: 0, ends_at: 0, first_at: expect.any(Number) },
        { name: 'old', minutes: 0, megabytes: 0, ends_at: 1000, first_at: 0 },
      ],
      sessions: [{ name, mac: MAC, ip: '10.1.0.7', started_at: 1767225600, rx_bytes: 20 * 1024, tx_bytes: 100 * 1024 }],
    });
    const removed = await world.command('c3', 'hotspot', `do=remove\nindex=1\nname=${name}\n`);
    expect(JSON.parse(String(removed['output']))['accounts']).toMatchObject([{ name: 'old' }]);
    expect(await hotspot.calls()).toContain(`deauth ${MAC}`);
    expect(await signIn(world, name, 'p$(reboot)')).toBe('refused');
  });

  test('the sign-in page shows what was written, never as markup, and what is no account is refused', async () => {
    await using world = await AgentWorld.start();
    const hotspot = await makeHotspot(world);
    await world.startAgent(shell, hotspot.env);
    expect(await world.command('c1', 'hotspot', 'do=page\nindex=1\ntitle=Fish & <b>chips</b>\ntext=Hello\n')).toMatchObject({
      state: 'ok',
    });
    const page = await readFile(join(hotspot.root, 'etc/nodogsplash/htdocs/splash.html'), 'utf8');
    expect(page).toContain('<h1>Fish &amp; &lt;b&gt;chips&lt;/b&gt;</h1>');
    expect(page).toContain('action="$authaction"');
    for (const [id, body, message] of [
      ['c2', 'do=add\nindex=1\naccount=one\n', 'This is no account'],
      ['c3', 'do=add\nindex=1\naccount=one two x 0 0\n', 'This is no account'],
      ['c6', 'do=add\nindex=1\naccount=a"b two 0 0 0\n', 'This is no account'],
      ['c4', 'do=list\nindex=2\n', 'There is no hotspot of this number'],
      ['c5', 'do=purge\nindex=1\n', 'Unknown: purge'],
    ] as const)
      expect(await world.command(id, 'hotspot', body)).toMatchObject({ state: 'failed', message });
    await using bare = await AgentWorld.start();
    await bare.startAgent(shell, { PATH: await makePathWithout(join(bare.folder, 'bare'), ['ndsctl']) });
    expect(await bare.command('c1', 'hotspot', 'do=list\nindex=1\n')).toMatchObject({
      message: expect.stringContaining('needs nodogsplash'),
    });
  });
});
