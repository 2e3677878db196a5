import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

const PROFILE = [
  '[Interface]',
  'Address = 10.77.0.3/32',
  '',
  '[Peer]',
  'PublicKey = AAAA',
  'Endpoint = vpn.example:20000',
  'AllowedIPs = 10.77.0.0/24',
];
const lines = (text: readonly string[]): string => text.map((line) => `line=${line}\n`).join('');

describe.each(SHELLS)('the VPN of a device under %s', (shell) => {
  test('its key is made there and kept there, and the profile is put into force and taken away with it', async () => {
    await using world = await AgentWorld.start();
    const [calls, root, bin] = [join(world.folder, 'calls'), join(world.folder, 'root'), join(world.folder, 'bin')];
    await mkdir(bin);
    await mkdir(root);
    await writeFile(join(bin, 'wg-quick'), `#!/bin/sh\necho "$@" >>'${calls}'\n`, { mode: 0o755 });
    await world.startAgent(shell, { PATH: `${bin}:${process.env['PATH']}`, CANOPY_ROOT: root });
    const body = `name=cvpn7\nkind=wireguard\nlan=0\nwan=0\n`;
    const first = await world.command('c1', 'vpn', `do=apply\n${body}${lines(PROFILE)}`);
    expect(first).toMatchObject({ state: 'ok', message: 'Done', output: expect.stringMatching(/^public_key=[A-Za-z0-9+/]{43}=\n$/) });
    const file = join(root, 'etc/wireguard/cvpn7.conf');
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^\[Interface\]\nPrivateKey = [A-Za-z0-9+/]{43}=\nAddress = 10\.77\.0\.3\/32\n/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(calls, 'utf8')).toBe('up cvpn7\n');
    const again = await world.command('c2', 'vpn', `do=apply\n${body}${lines(PROFILE)}`);
    expect(again['output']).toBe(first['output']);
    expect(await world.command('c3', 'vpn', `do=remove\n${body}`)).toMatchObject({ state: 'ok' });
    expect(existsSync(file)).toBe(false);
    const other = await world.command('c4', 'vpn', `do=apply\n${body}${lines(PROFILE)}`);
    expect(other['output']).not.toBe(first['output']);
    await world.command('c5', 'vpn', `do=remove\n${body}`);
    const apply = `do=apply\nconfirm_seconds=600\n${body}${lines(PROFILE)}`;
    expect(await world.command('c6', 'vpn', apply)).toMatchObject({ state: 'ok' });
    expect(existsSync(file)).toBe(true);
    expect(await world.command('c7', 'rollback')).toMatchObject({ state: 'ok', message: 'Rolled back' });
    expect(existsSync(file)).toBe(false);
  });

  test('asks for a certificate of OpenVPN with a key that stays, and refuses names that are none', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell, { CANOPY_ROOT: world.folder });
    const asked = await world.command('c1', 'vpn', 'do=key\nname=cvpn8\nkind=openvpn\nlan=0\nwan=0\n');
    expect(asked).toMatchObject({ state: 'ok', output: expect.stringContaining('BEGIN CERTIFICATE REQUEST') });
    expect(String(asked['output'])).not.toContain('PRIVATE KEY');
    for (const name of ['../x', 'a b', ''])
      expect(await world.command(`c-${name.length}`, 'vpn', `do=key\nname=${name}\nkind=openvpn\n`)).toMatchObject({ state: 'failed' });
  });
});
