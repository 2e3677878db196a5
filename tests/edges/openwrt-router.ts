import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { assertMayMakeNetworks } from '../helpers/vpn-hosts.ts';
import { killGroup } from './agent-machine.ts';
import { AGENT } from './agent-world.ts';
import { writeDoubles } from './openwrt-doubles.ts';

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * A router with OpenWrt's settings in a network namespace of its own: its `wan` leads to this machine, and what its settings say is what its kernel does.
 */
export class OpenWrtRouter implements AsyncDisposable {
  readonly env: Record<string, string>;
  /** Its address on `wan`, and another one in the same network. */
  readonly addresses: readonly [string, string];
  private readonly name = `cw${process.pid % 10_000}${randomInt(1000)}`;
  private readonly network = `10.${randomInt(100, 200)}.${randomInt(256)}`;
  private readonly folder: string;
  private readonly bin: string;
  private proxy: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly children: ChildProcess[] = [];

  /** `folder`: where its files are; `dir`: where the agent keeps its own; `path`: where its other programs are. */
  constructor(folder: string, dir: string, path = process.env['PATH']) {
    assertMayMakeNetworks();
    this.folder = folder;
    this.bin = join(folder, 'openwrt-bin');
    this.addresses = [`${this.network}.2`, `${this.network}.3`];
    writeDoubles(this.bin);
    const [root, staged] = [join(folder, 'root'), join(folder, 'staged')];
    for (const made of [join(root, 'etc/config'), staged]) mkdirSync(made, { recursive: true });
    this.env = {
      CANOPY_DIR: dir,
      CANOPY_ROOT: root,
      CANOPY_STAGED: staged,
      CANOPY_APPLY_COMMAND: 'reload_config',
      CANOPY_SETTLE_SECONDS: '3',
      CANOPY_SERIAL: 'OPENWRT-1',
      CANOPY_MAC: '00:1e:42:00:00:77',
      PATH: `${this.bin}:${path}`,
    };
    const lan = "network.lan=interface\nnetwork.lan.device='br-lan'\nnetwork.lan.proto='static'\nnetwork.lan.ipaddr='192.168.1.1'\n";
    const wan = `network.wan=interface\nnetwork.wan.device='wan'\nnetwork.wan.proto='static'\nnetwork.wan.ipaddr='${this.addresses[0]}'\n`;
    writeFileSync(join(root, 'etc/config/network'), lan + wan);
    ip('netns', 'add', this.name);
    ip('link', 'add', this.name, 'type', 'veth', 'peer', 'name', 'wan', 'netns', this.name);
    ip('addr', 'add', `${this.network}.1/24`, 'dev', this.name);
    ip('link', 'set', this.name, 'up');
    ip('-n', this.name, 'link', 'add', 'br-lan', 'type', 'veth', 'peer', 'name', 'lan1');
    for (const device of ['lo', 'wan', 'br-lan', 'lan1']) ip('-n', this.name, 'link', 'set', device, 'up');
    this.boot();
  }

  /** What its network is after a start: what the files say. */
  boot(): void {
    execFileSync('ip', ['netns', 'exec', this.name, join(this.bin, 'netifd')], { env: { ...process.env, ...this.env } });
  }

  /** From here on the broker at this port of this machine is reached over `wan`, and the agent's own settings say so. */
  async reach(port: number): Promise<void> {
    const proxy = createServer((socket) => {
      const onward = connect(port, '127.0.0.1');
      for (const one of [socket, onward]) this.sockets.add(one.on('error', () => undefined));
      socket.pipe(onward).pipe(socket);
    }).listen(0, `${this.network}.1`);
    this.proxy = proxy;
    await once(proxy, 'listening');
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const conf = join(this.env['CANOPY_DIR'] ?? '', 'agent.conf');
    const text = readFileSync(conf, 'utf8');
    writeFileSync(
      conf,
      text.replace(/^mqtt_host=.*$/m, `mqtt_host=${this.network}.1`).replace(/^mqtt_port=.*$/m, `mqtt_port=${address.port}`),
    );
  }

  /** Starts its agent. */
  start(shell: string, env: Record<string, string> = {}): ChildProcess {
    const args = ['netns', 'exec', this.name, ...shell.split(' '), AGENT, 'run'];
    const child = spawn('ip', args, { detached: true, stdio: 'ignore', env: { ...process.env, ...this.env, ...env } });
    this.children.push(child);
    return child;
  }

  /** The address that a device of its kernel has now. */
  addressOf(device: 'wan' | 'br-lan'): string | undefined {
    return /inet ([\d.]+)/.exec(ip('-n', this.name, '-4', 'addr', 'show', 'dev', device))?.[1];
  }

  settings(): string {
    return readFileSync(join(this.folder, 'root/etc/config/network'), 'utf8');
  }

  /** Whether a change waits to be confirmed. */
  isWaiting(): boolean {
    return existsSync(join(this.env['CANOPY_DIR'] ?? '', 'unconfirmed'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.children.forEach(killGroup);
    for (const socket of this.sockets) socket.destroy();
    this.proxy?.close();
    ip('link', 'del', this.name);
    ip('netns', 'del', this.name);
  }
}
