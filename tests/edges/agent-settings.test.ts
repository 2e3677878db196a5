import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../server/features/device-channel/wire.ts';
import { makePathWithout, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';
import { writeDoubles } from './openwrt-doubles.ts';

const INTERFACES = `auto lo
iface lo inet loopback

auto eth0
iface eth0 inet static
    address 10.0.0.2
    netmask 255.255.255.0
    dns-nameservers 10.0.0.1 9.9.9.9
`;

async function makeDebian(world: AgentWorld) {
  const root = join(world.folder, 'root');
  const path = (name: string) => join(root, name);
  for (const [name, text] of Object.entries({
    'etc/debian_version': '13.1\n',
    'etc/hostname': 'quay-04\n',
    'etc/systemd/timesyncd.conf': '[Time]\nNTP=a.example.com\n',
    'etc/network/interfaces': INTERFACES,
  })) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
  const applied = join(world.folder, 'applied');
  const PATH = await makePathWithout(join(world.folder, 'bin'), ['uci']);
  return {
    env: { CANOPY_ROOT: root, PATH, CANOPY_APPLY_COMMAND: `echo applied >>'${applied}'` },
    read: (name: string) => readFile(path(name), 'utf8'),
    applied: () => readFile(applied, 'utf8'),
  };
}

/** As `uci` of OpenWrt, as far as the agent uses it: it writes down its words, and shows one file. */
async function makeUci(world: AgentWorld) {
  const root = join(world.folder, 'root');
  const calls = join(world.folder, 'calls');
  const folder = join(world.folder, 'uci');
  await mkdir(join(root, 'etc/config'), { recursive: true });
  await mkdir(folder);
  await writeFile(join(root, 'etc/config/wireless'), 'before\n');
  const script = `#!/bin/sh
[ "$2" = -c ] && shift 5
for word in "$@"; do printf '[%s]' "$word"; done >>'${calls}'; echo >>'${calls}'
case "$*" in
  '-X show wireless') printf "wireless.wifi0=wifi-iface\\nwireless.wifi0.ssid='it'\\\\\\\\''s'\\nwireless.wifi0.key='hunter22'\\nwireless.wifi0.note='a\\nwireless.evil.key=b'\\n" ;;
  'set wireless.wifi0.bad='*) exit 1 ;;
  'commit wireless') echo after >'${root}/etc/config/wireless' ;;
esac
`;
  await writeFile(join(folder, 'uci'), script, { mode: 0o755 });
  return {
    env: { CANOPY_ROOT: root, PATH: `${folder}:${process.env['PATH']}`, CANOPY_APPLY_COMMAND: 'true' },
    calls: async () => (await readFile(calls, 'utf8')).trim().split('\n'),
    file: () => readFile(join(root, 'etc/config/wireless'), 'utf8'),
  };
}

describe.each(SHELLS)('single settings under %s', (shell) => {
  test('of Debian are read, changed in its files, and rolled back', async () => {
    await using world = await AgentWorld.start();
    const machine = await makeDebian(world);
    await world.startAgent(shell, machine.env);
    const read = await world.command('c1', 'read', 'config=system\nconfig=ntp\nconfig=network\nhide=gateway\n');
    expect(read).toMatchObject({ state: 'ok' });
    expect(String(read['output']).split('\n')).toEqual([
      'system.host=system',
      "system.host.hostname='quay-04'",
      'ntp.client=timeserver',
      "ntp.client.server='a.example.com'",
      'network.lo=interface',
      "network.lo.device='lo'",
      "network.lo.proto='loopback'",
      'network.eth0=interface',
      "network.eth0.device='eth0'",
      "network.eth0.proto='static'",
      "network.eth0.ipaddr='10.0.0.2'",
      "network.eth0.netmask='255.255.255.0'",
      "network.eth0.dns='10.0.0.1' '9.9.9.9'",
      '',
    ]);
    const change = [
      'confirm_seconds=0',
      'config=system',
      'config=ntp',
      'config=network',
      'do=set system.host.hostname=quay-05',
      'do=delete ntp.client.server',
      'do=add_list ntp.client.server=b.example.com',
      'do=add_list ntp.client.server=c.example.com',
      'do=set network.eth0.ipaddr=10.0.0.3',
      'do=delete network.eth0.dns',
      'do=add_list network.eth0.dns=1.1.1.1',
    ];
    expect(await world.command('c2', 'configure', `${change.join('\n')}\n`)).toMatchObject({ state: 'ok', message: 'Settings changed' });
    expect(await machine.read('etc/hostname')).toBe('quay-05\n');
    expect(await machine.read('etc/systemd/timesyncd.conf.d/canopy.conf')).toBe('[Time]\nNTP=b.example.com c.example.com\n');
    const changed = await machine.read('etc/network/interfaces');
    expect(changed).toContain('address 10.0.0.3');
    expect(changed).toContain('dns-nameservers 1.1.1.1\n');
    expect(changed).not.toContain('10.0.0.2');
    expect(await machine.applied()).toBe('applied\n');
    expect(await world.command('c3', 'rollback', '')).toMatchObject({ state: 'ok', message: 'Rolled back' });
    expect(await machine.read('etc/network/interfaces')).toBe(INTERFACES);
    expect(await machine.read('etc/hostname')).toBe('quay-04\n');
  });

  test('that cannot all be changed are all as before, and values are never named', async () => {
    await using world = await AgentWorld.start();
    const machine = await makeDebian(world);
    await world.startAgent(shell, machine.env);
    const body = 'config=system\nconfig=network\ndo=set system.host.hostname=other\ndo=set network.eth0.ipaddr=$(reboot)\n';
    const answer = await world.command('c1', 'configure', body);
    expect(answer).toMatchObject({
      state: 'failed',
      message: 'The former settings are in force: network.eth0.ipaddr could not be changed',
    });
    expect(await machine.read('etc/hostname')).toBe('quay-04\n');
    expect(await world.command('c2', 'configure', 'config=../../etc/passwd\ndo=set x.y.z=1\n')).toMatchObject({ state: 'failed' });
  });

  test('of a device with uci go through it word for word; what is to be hidden never leaves the device', async () => {
    await using world = await AgentWorld.start();
    const uci = await makeUci(world);
    await world.startAgent(shell, uci.env);
    const read = await world.command('c1', 'read', 'config=wireless\nhide=key\n');
    expect(String(read['output'])).not.toContain('hunter22');
    expect(String(read['output']).split('\n')).toContain("wireless.wifi0.key='***'");
    expect(String(read['output'])).toContain(String.raw`wireless.wifi0.ssid='it'\''s'`);
    const name = "O'Brien $(reboot) a=b";
    const changes = `do=set wireless.wifi0.ssid=${name}\ndo=reorder wireless.wifi0=9999\n`;
    expect(await world.command('c2', 'configure', `confirm_seconds=600\nconfig=wireless\n${changes}`)).toMatchObject({ state: 'ok' });
    expect(await uci.calls()).toEqual(expect.arrayContaining([`[set][wireless.wifi0.ssid=${name}]`, '[reorder][wireless.wifi0=9999]']));
    expect(await uci.file()).toBe('after\n');
    expect(await world.command('c3', 'configure', 'config=wireless\ndo=set wireless.wifi0.ssid=b\n')).toMatchObject({
      message: 'An earlier change waits to be confirmed',
    });
    expect(await world.command('c4', 'rollback', '')).toMatchObject({ state: 'ok' });
    expect(await uci.file()).toBe('before\n');
    expect(await world.command('c5', 'configure', 'config=wireless\ndo=set wireless.wifi0.bad=secret\n')).toMatchObject({
      message: 'The former settings are in force: wireless.wifi0.bad could not be changed',
    });
  });

  test('that are longer than a message are read whole, packed', async () => {
    await using world = await AgentWorld.start();
    const root = join(world.folder, 'root');
    const bin = join(world.folder, 'openwrt');
    writeDoubles(bin);
    await mkdir(join(root, 'etc/config'), { recursive: true });
    const rule = (i: number) =>
      `firewall.rule${i}=rule\nfirewall.rule${i}.name='Rule ${i} of the quay, Ålesund'\nfirewall.rule${i}.dest_port='${i}'\n`;
    const rules = Array.from({ length: 1500 }, (_, i) => rule(i)).join('');
    await writeFile(join(root, 'etc/config/firewall'), rules);
    await writeFile(join(root, 'etc/config/system'), "system.main=system\nsystem.main.hostname='quay-04'\n");
    const env = { CANOPY_ROOT: root, CANOPY_STAGED: join(world.folder, 'none'), PATH: `${bin}:${process.env['PATH']}` };
    await world.startAgent(shell, env);
    const read = await world.command('c1', 'read', 'config=firewall\nconfig=system\n', { timeout: 60 });
    expect(read).toMatchObject({ state: 'ok', output: '', truncated: false });
    const whole = `${rules}system.main=system\nsystem.main.hostname='quay-04'\n`;
    expect(whole.length).toBeGreaterThan(64 * 1024);
    expect(gunzipSync(Buffer.from(String(read['packed']), 'base64')).toString()).toBe(whole);
    expect(readResult(read)).toMatchObject({ output: whole, truncated: false });
  });
});
