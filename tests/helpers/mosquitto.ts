import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

const PLUGIN = '/usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so';

/** A real mosquitto with its dynamic security plugin, set up as in the docs. */
export class Mosquitto {
  readonly folder = mkdtempSync(joinPath(tmpdir(), 'canopy-mosquitto-'));
  port = 0;
  private child: ChildProcess | undefined;

  async prepare(): Promise<void> {
    this.port = await freePort();
    const rules = joinPath(this.folder, 'dynsec.json');
    execFileSync('mosquitto_ctrl', ['dynsec', 'init', rules, 'canopy', 'administrator-password']);
    const lines = [`listener ${this.port} 127.0.0.1`, 'per_listener_settings false', 'allow_anonymous false', `plugin ${PLUGIN}`];
    writeFileSync(joinPath(this.folder, 'm.conf'), [...lines, `plugin_opt_config_file ${rules}`, 'max_packet_size 132096', ''].join('\n'));
    // mosquitto gives up root and must still write its rules.
    chmodSync(this.folder, 0o777);
    chmodSync(rules, 0o666);
  }

  async start(): Promise<void> {
    const child = spawn('mosquitto', ['-v', '-c', joinPath(this.folder, 'm.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said.push(line);
        if (line.includes(' running')) resolve();
      });
      child.once('exit', () => reject(new Error(said.join('\n'))));
    });
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Stops it and removes its files. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get url(): string {
    return `mqtt://canopy:administrator-password@127.0.0.1:${this.port}`;
  }
}
