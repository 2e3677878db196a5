import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Hubs and their clients are in network namespaces: without the right to make those the tests fail, as they would show nothing. */
export function assertMayMakeNetworks(): void {
  if (process.getuid?.() !== 0) throw new Error('The tests of hubs make network namespaces, which needs root.');
  if (!existsSync('/dev/net/tun')) throw new Error('The tests of hubs need /dev/net/tun (in a container: --device /dev/net/tun).');
}

/** Runs a program and answers what it prints, or undefined when it fails. */
export function attempt(program: string, args: readonly string[], input = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(program, args, (error, out) => resolve(error ? undefined : out));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const out = await attempt(program, args, input);
  if (out === undefined) throw new Error(`${program} ${args.join(' ')} failed`);
  return out;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill(signal);
  await gone;
}

export interface HelperProcess extends AsyncDisposable {
  socket: string;
}

/** The helper as operators run it, listening at a socket of its own. */
export async function startHelper(socket = join(mkdtempSync(join(tmpdir(), 'canopy-helper-')), 'helper.sock')): Promise<HelperProcess> {
  const child = spawn(process.execPath, [join(root, 'server/vpn-helper/main.ts'), '--socket', socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('The VPN helper is ready') && resolve());
    child.once('exit', (code) => reject(new Error(`the helper stopped with ${code}`)));
  });
  return {
    socket,
    async [Symbol.asyncDispose]() {
      await end(child, 'SIGTERM');
      rmSync(dirname(socket), { recursive: true, force: true });
    },
  };
}

/** A machine of its own: it has loopback, and what it connects to a hub with. */
export class Host implements AsyncDisposable {
  readonly name: string;
  private readonly dir = mkdtempSync(join(tmpdir(), 'canopy-host-'));
  private child: ChildProcess | undefined;

  private constructor(name: string) {
    this.name = name;
  }

  /** `lan`: an address of a machine behind it. */
  static async make(lan?: string): Promise<Host> {
    // Tests that run side by side have hosts of their own; an interface's name has 15 characters at most.
    const name = `cvt${randomBytes(4).toString('hex')}`;
    const host = new Host(name);
    await run('ip', ['netns', 'add', name]);
    await host.ip(['link', 'set', 'lo', 'up']);
    if (lan !== undefined) await host.ip(['addr', 'add', `${lan}/32`, 'dev', 'lo']);
    return host;
  }

  private ip(args: readonly string[]): Promise<string> {
    return run('ip', ['-n', this.name, ...args]);
  }

  /** Whether an address answers within a second. */
  async reaches(address: string): Promise<boolean> {
    return (await attempt('ip', ['netns', 'exec', this.name, 'ping', '-c', '1', '-W', '1', address])) !== undefined;
  }

  /** Sends everything that goes nowhere else into the tunnel, as somebody who tries doors does. */
  async routeAll(gateway: string): Promise<void> {
    await attempt('ip', ['-n', this.name, 'route', 'add', 'default', 'via', gateway, 'dev', this.name]);
    await attempt('ip', ['-n', this.name, 'route', 'add', 'default', 'dev', this.name]);
  }

  async takeAddress(address: string): Promise<void> {
    await this.ip(['addr', 'add', `${address}/24`, 'dev', this.name]);
  }

  async reachesFrom(source: string, address: string): Promise<boolean> {
    return (await attempt('ip', ['netns', 'exec', this.name, 'ping', '-c', '1', '-W', '1', '-I', source, address])) !== undefined;
  }

  /** Connects with a profile as people get it; an interface of the host's name is what comes of it. Does not wait for the hub. */
  async connect(profile: string): Promise<void> {
    await this.disconnect();
    if (profile.startsWith('[Interface]')) await this.connectWireGuard(profile);
    else await this.connectOpenVpn(profile);
  }

  private async connectWireGuard(profile: string): Promise<void> {
    const value = (name: string): string => new RegExp(`^${name} = (.*)$`, 'm').exec(profile)?.[1] ?? '';
    const settings = profile
      .split('\n')
      .filter((line) => !/^(Address|DNS) =/.test(line))
      .join('\n');
    this.child = spawn('wireguard-go', ['-f', this.name], { stdio: 'ignore', env: { ...process.env, LOG_LEVEL: 'error' } });
    await until('the interface of WireGuard', () => existsSync(`/var/run/wireguard/${this.name}.sock`));
    await run('ip', ['link', 'set', this.name, 'netns', this.name]);
    writeFileSync(join(this.dir, 'settings'), settings, { mode: 0o600 });
    await run('ip', ['netns', 'exec', this.name, 'wg', 'setconf', this.name, join(this.dir, 'settings')]);
    await this.ip(['addr', 'add', value('Address'), 'dev', this.name]);
    await this.ip(['link', 'set', this.name, 'up']);
    for (const network of value('AllowedIPs').split(', ')) await this.ip(['route', 'add', network, 'dev', this.name]);
  }

  private async connectOpenVpn(profile: string): Promise<void> {
    const kind = /^dev (tun|tap)$/m.exec(profile)?.[1] ?? 'tun';
    const up = join(this.dir, 'up');
    const routeUp = join(this.dir, 'route-up');
    const at = `ip -n ${this.name}`;
    // OpenVPN stays where the hub is reached, and only the inside of the tunnel is on the host.
    writeFileSync(
      up,
      `#!/bin/sh\nip link set $dev netns ${this.name} && ${at} addr replace $ifconfig_local/24 dev $dev && ${at} link set $dev up\n`,
    );
    writeFileSync(
      routeUp,
      `#!/bin/sh\ni=1\nwhile eval "n=\\$route_network_$i" && [ -n "$n" ]; do\n${at} route replace $n/24 via $route_gateway_1 dev $dev\ni=$((i+1))\ndone\nexit 0\n`,
    );
    for (const file of [up, routeUp]) chmodSync(file, 0o755);
    const more = [
      'ifconfig-noexec',
      'route-noexec',
      'script-security 2',
      `up ${up}`,
      `route-up ${routeUp}`,
      `log ${join(this.dir, 'log')}`,
    ];
    const text = profile.replace(`dev ${kind}`, `dev ${this.name}\ndev-type ${kind}`);
    writeFileSync(join(this.dir, 'profile'), [text, ...more, 'connect-retry 1 1', ''].join('\n'), { mode: 0o600 });
    this.child = spawn('openvpn', ['--config', join(this.dir, 'profile')], { stdio: 'ignore' });
  }

  /** Whether what it connects with still runs: OpenVPN ends when a hub refuses it. */
  isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null;
  }

  /** What OpenVPN has written. */
  log(): string {
    return existsSync(join(this.dir, 'log')) ? readFileSync(join(this.dir, 'log'), 'utf8') : '';
  }

  async disconnect(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child) await end(child, 'SIGTERM');
    await attempt('ip', ['-n', this.name, 'link', 'del', this.name]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
    await attempt('ip', ['netns', 'del', this.name]);
    rmSync(this.dir, { recursive: true, force: true });
  }
}
