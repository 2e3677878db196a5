import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VpnClient } from '../../schemas/_generated/contract.ts';
import { assertMayMakeNetworks, Host, startHelper } from '../../tests/helpers/vpn-hosts.ts';
import { ms, type Benchmark } from '../report.ts';
import { median } from './measure.ts';
import { devicesOnline, startRemoteWorld, type RemoteWorld } from './remote-world.ts';

const AGENT = fileURLToPath(new URL('../../agent/canopy-agent', import.meta.url));
const TIMES = 5;
const [UPLINK, ROUTER, LAN, LAN_HOST] = ['10.213.78.1', '10.213.78.2', '192.168.78.0', '192.168.78.20'];

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

/** A router with an uplink to this machine and a host behind it, and the agent of real devices on it; its device's number. */
async function startRouter(world: RemoteWorld, stack: AsyncDisposableStack): Promise<number> {
  const name = `cq${process.pid % 10_000}`;
  ip('netns', 'add', name);
  stack.defer(() => ip('netns', 'del', name));
  ip('link', 'add', `u${name}`, 'type', 'veth', 'peer', 'name', 'wan', 'netns', name);
  ip('addr', 'add', `${UPLINK}/30`, 'dev', `u${name}`);
  ip('link', 'set', `u${name}`, 'up');
  ip('-n', name, 'addr', 'add', `${ROUTER}/30`, 'dev', 'wan');
  ip('-n', name, 'addr', 'add', `${LAN_HOST}/32`, 'dev', 'lo');
  for (const link of ['wan', 'lo']) ip('-n', name, 'link', 'set', link, 'up');
  const [bin, root] = [join(world.folder, 'bin'), join(world.folder, 'root')];
  for (const folder of [bin, root]) mkdirSync(folder);
  // The profile is in the folder of the device, not in that of this machine.
  writeFileSync(join(bin, 'wg-quick'), `#!/bin/sh\nexec /usr/bin/wg-quick "$1" "${root}/etc/wireguard/$2.conf"\n`, { mode: 0o755 });
  const places = { CANOPY_DIR: join(world.folder, 'agent'), CANOPY_ROOT: root, PATH: `${bin}:${process.env['PATH']}` };
  const env = { ...process.env, ...places, CANOPY_SERIAL: '1100000002', CANOPY_MAC: '00:1E:42:00:00:02' };
  // WireGuard in user space has its sockets by name in one folder, which machines do not share.
  const own = 'mkdir -p /run/wireguard && mount -t tmpfs none /run/wireguard && exec sh "$@"';
  const place = ['netns', 'exec', name, 'unshare', '-m', 'sh', '-c', own, 'sh', AGENT];
  const run = (...args: string[]) => spawn('ip', [...place, ...args], { env, detached: true, stdio: 'ignore' });
  const url = `http://${UPLINK}:${new URL(world.server.url).port}`;
  await once(run('join', '--url', url, '--code', world.code), 'exit');
  const agent = run('run');
  stack.defer(() => {
    for (const pid of execFileSync('ip', ['netns', 'pids', name]).toString().split(/\s+/).filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
    agent.unref();
  });
  const [device = 0] = await devicesOnline(world, 1);
  return device;
}

/** From the call to the first answer of the host behind the device, in milliseconds; the hub is removed again. */
async function connectOnce(
  { api, companyId }: RemoteWorld,
  device: number,
  { kind, laptop }: { kind: string; laptop: Host },
): Promise<number> {
  const begun = performance.now();
  const endpoint = { device_id: device, routes: [{ ip: LAN, netmask: '255.255.255.0', name: 'Plant' }] };
  const about = { company_id: companyId, hub_name: `Quick ${kind}`, hub_zone: 'local', vpn_type: kind, duration: 30 };
  const { id } = await api.call<{ id: number }>('POST', '/vpn/hubs/connect', { ...about, endpoint });
  const clients = await api.call<VpnClient[]>('GET', `/vpn/hubs/users?vpn_hub_id=${id}`);
  const near = clients.find(({ type }) => type === 'user');
  const { text } = await api.call<{ text: string }>('POST', `/vpn/hubs/users/${near?.id}/new-profile`, {});
  await laptop.connect(text);
  while (!(await laptop.reaches(LAN_HOST))) if (performance.now() - begun > 120_000) throw new Error(`no way to the host by ${kind}`);
  const time = performance.now() - begun;
  await laptop.disconnect();
  await api.call('DELETE', '/vpn/hubs', { id: [id] });
  return time;
}

export const benchmark: Benchmark = {
  name: 'quick-connect',
  title: 'Quick connect to a host behind a device: hub, device and person',
  async run(report) {
    assertMayMakeNetworks();
    await using stack = new AsyncDisposableStack();
    const helper = stack.use(await startHelper());
    const listens = { HOST: '0.0.0.0', MQTT_HOST: '0.0.0.0', MQTT_PUBLIC_HOST: UPLINK, TUNNEL_PUBLIC_HOST: UPLINK };
    const world = stack.use(await startRemoteWorld({ ...listens, VPN_HELPER: helper.socket, VPN_HOST: UPLINK, VPN_PORTS: '24900-24999' }));
    const device = await startRouter(world, stack);
    const laptop = stack.use(await Host.make(`cqn${process.pid % 10_000}`));
    for (const kind of ['wireguard', 'tun']) {
      const times: number[] = [];
      for (let count = 0; count < TIMES; count += 1) times.push(await connectOnce(world, device, { kind, laptop }));
      report({
        what: `from the call to the first answer of a host behind the device, ${kind === 'wireguard' ? 'WireGuard' : 'OpenVPN (tun)'}`,
        on: `${TIMES} temporary hubs, a real agent in a network of its own`,
        ours: `${ms(median(times))}, at most ${ms(Math.max(...times))}`,
        goal: '20 s',
      });
    }
  },
};
