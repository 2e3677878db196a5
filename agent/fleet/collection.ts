import type { Identity } from './models.ts';
import { ok, type Result } from './protocol.ts';
import { answerRouterApi } from './router-api.ts';
import type { Vitals } from './vitals.ts';

interface Template {
  id: number;
  version: number;
  periodMs: number;
  sources: string[];
  lastAt: number;
}

// `template=12 3 300`
const TEMPLATE = /^template=(\d+) (\d+) (\d+)$/;
const MEBIBYTE = 1024 * 1024;

interface CollectionParts {
  identity: Identity;
  vitals: Vitals;
  /** The payload of `up/details`. */
  details(): Record<string, unknown>;
  /** Sends an answer. */
  publish(answer: string): void;
}

/** What a simulated device collects for monitoring templates: figures of its own simulated system, and what the API of its simulated router answers. */
export class Collection {
  private templates: Template[] = [];
  private readonly identity: Identity;
  private readonly vitals: Vitals;

  private readonly details: () => Record<string, unknown>;
  private readonly publish: (answer: string) => void;

  constructor({ identity, vitals, details, publish }: CollectionParts) {
    this.publish = publish;
    this.details = details;
    this.identity = identity;
    this.vitals = vitals;
  }

  change(body: string): Result {
    this.templates = [];
    for (const line of body.split('\n')) {
      const [, id, version, period] = TEMPLATE.exec(line) ?? [];
      if (id !== undefined)
        this.templates.push({ id: Number(id), version: Number(version), periodMs: Number(period) * 1000, sources: [], lastAt: 0 });
      else if (line.startsWith('source=')) this.templates.at(-1)?.sources.push(line.slice('source='.length));
    }
    this.send();
    return ok(`Collects ${this.templates.length} templates`);
  }

  /** Sends the answers of the templates whose time has come. */
  send(): void {
    for (const answer of this.due(Date.now())) this.publish(answer);
  }

  private due(now: number): string[] {
    return this.templates.flatMap((template) => {
      if (now - template.lastAt < template.periodMs) return [];
      template.lastAt = now;
      const { id, version, sources } = template;
      return [JSON.stringify({ template: id, version, at: Math.floor(now / 1000), sources: sources.map((source) => this.print(source)) })];
    });
  }

  probe(body: string): Result {
    const { code, output } = this.print(body.trim().replace(/^source=/, ''));
    return code === 0 ? { state: 'ok', code, output } : { state: 'failed', code, message: `exit code ${code}`, output };
  }

  private print(source: string): { code: number; output: string } {
    const [kind, name = '', method = ''] = source.split(' ');
    const key = kind === 'ubus' ? `${name} ${method}` : `${kind} ${name}`;
    const { identity, vitals } = this;
    const output =
      kind === 'api' ? answerRouterApi(name.split('?')[0] ?? '', { identity, vitals, details: this.details() }) : this.figures()[key];
    return output === undefined ? { code: 1, output: 'not there' } : { code: 0, output };
  }

  private figures(): Record<string, string> {
    const report = this.vitals.report();
    const seconds = this.vitals.uptimeSeconds;
    const load = Number(report['load1'] ?? 0.2);
    const total = Number(report['mem_total_kb'] ?? 256 * 1024);
    const free = Number(report['mem_available_kb'] ?? total / 2);
    return {
      'file /proc/loadavg': `${load.toFixed(2)} ${(load * 0.9).toFixed(2)} ${(load * 0.8).toFixed(2)} 1/84 4321\n`,
      'file /proc/uptime': `${seconds}.00 ${Math.round(seconds * 0.93)}.00\n`,
      'file /proc/meminfo': `MemTotal:       ${total} kB\nMemFree:        ${Math.round(free * 0.8)} kB\nMemAvailable:   ${free} kB\n`,
      'file /sys/class/thermal/thermal_zone0/temp': `${Number(report['temperature'] ?? 400) * 100}\n`,
      'file /etc/version': `${this.identity.firmware}\n`,
      'command uptime': ` up ${Math.floor(seconds / 86_400)} days,  load average: ${load.toFixed(2)}, 0.17, 0.12\n`,
      'system info': JSON.stringify({
        uptime: seconds,
        load: [Math.round(load * 65_536), 11_000, 8000],
        memory: { total: total * 1024, free: free * 1024, available: free * 1024 },
        root: { total: 60 * MEBIBYTE, used: 9 * MEBIBYTE },
      }),
      'system board': JSON.stringify({ model: this.identity.model.name, release: { version: this.identity.firmware } }),
      'network.interface.wan status': JSON.stringify({ up: true, uptime: seconds, device: this.vitals.wanInterface }),
    };
  }
}
