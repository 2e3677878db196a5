import type { Identity } from './models.ts';
import type { Vitals } from './vitals.ts';

export interface ShellAnswer {
  code: number;
  output: string;
  /** How long the real command would have taken. */
  seconds: number;
}

interface Router {
  identity: Identity;
  vitals: Vitals;
  /** What `uci` keeps, by its name. */
  settings: Map<string, string[]>;
}

type Program = (router: Router, words: string[]) => ShellAnswer;

const MAX_OUTPUT = 64 * 1024;

const say = (output: string, code = 0, seconds = 0): ShellAnswer => ({
  code,
  output: output === '' || output.endsWith('\n') ? output : `${output}\n`,
  seconds,
});

const PROGRAMS: Record<string, Program> = {
  true: () => say(''),
  false: () => say('', 1),
  echo: (_, words) => say(`${words.join(' ')}\n`),
  exit: (_, [code]) => say('', Number(code ?? 0) & 255),
  sleep: (_, [seconds]) => say('', 0, Number(seconds ?? 0)),
  umask: () => say(''),
  ulimit: () => say(''),
  rm: () => say(''),
  timeout: (router, [seconds = '0', program = '']) => {
    if (program === 'tcpdump') return say('1 packet captured', 124, Number(seconds));
    if (program === 'logread') return say(logLines(router, Number(seconds)), 124, Number(seconds));
    return say(`timeout: can't execute '${program}'`, 127);
  },
  logread: (router, words) => say(logLines(router, Number(words[words.indexOf('-l') + 1]) || 50)),
  traceroute: (_, words) => {
    const host = words.at(-1) ?? '';
    const hops = ['192.168.1.1', '100.64.0.1', '203.0.113.7', host];
    return say(
      `traceroute to ${host}, 20 hops max (simulated)\n${hops.map((hop, i) => ` ${i + 1}  ${hop}  ${(i * 9 + 1.2).toFixed(3)} ms`).join('\n')}`,
      0,
      1,
    );
  },
  nslookup: (_, words) => say(`Server:\t\t127.0.0.1\n\nName:\t${words.at(-1) ?? ''}\nAddress: 203.0.113.80 (simulated)`),
  ip: () => say('192.168.1.20 dev br-lan lladdr 00:00:5e:00:53:14 REACHABLE\n192.168.1.31 dev br-lan lladdr 00:00:5e:00:53:1f STALE'),
  netstat: () => say('Proto Recv-Q Send-Q Local Address   Foreign Address State\ntcp   0      0      0.0.0.0:22      0.0.0.0:*       LISTEN\ntcp   0      0      0.0.0.0:443     0.0.0.0:*       LISTEN'), // prettier-ignore
  sh: (router, [option, script = '', , ...given]) => (option === '-c' ? runScript(router, script, given) : say('sh: no terminal', 2)),
  hostname: ({ identity }) => say(`Simulated-${identity.model.name}`),
  uname: ({ identity }, words) =>
    say(
      words.includes('-a')
        ? `Linux Simulated-${identity.model.name} 5.10.224 #0 SMP Canopy-simulated ${identity.model.machine} GNU/Linux`
        : 'Linux',
    ),
  uptime: ({ vitals }) =>
    say(` ${new Date().toISOString().slice(11, 19)} up ${formatUptime(vitals.uptimeSeconds)},  load average: 0.21, 0.17, 0.12`),
  cat: ({ identity, vitals }, [file]) => {
    if (file === '/etc/version') return say(identity.firmware);
    if (file === '/proc/uptime') return say(`${vitals.uptimeSeconds}.00 ${Math.round(vitals.uptimeSeconds * 0.93)}.00`);
    if (file === '/etc/os-release') return say('NAME="Canopy simulated device"');
    return say(`cat: can't open '${file ?? ''}': No such file or directory`, 1);
  },
  ifconfig: ({ identity, vitals }) =>
    say(
      [
        [vitals.wanInterface, vitals.wanIp, vitals.received, vitals.sent] as const,
        [identity.model.ports[0] ?? 'br-lan', vitals.lanIp, vitals.sent * 2, vitals.received * 2] as const,
      ]
        .map(
          ([name, ip, rx, tx]) =>
            `${name.padEnd(10)}Link encap:Ethernet  HWaddr ${identity.mac}\n          inet addr:${ip}  Mask:255.255.255.0\n          RX bytes:${rx}  TX bytes:${tx}\n`,
        )
        .join('\n'),
    ),
  ping: (_, words) => {
    const host = words.findLast((word) => !/^(-.*|\d+)$/.test(word)) ?? '192.0.2.1';
    const count = Math.min(Number(words[words.indexOf('-c') + 1]) || 4, 20);
    const lines = Array.from(
      { length: count },
      (_unused, i) => `64 bytes from ${host}: seq=${i} ttl=57 time=${(21 + ((i * 7) % 13)).toFixed(3)} ms (simulated)`,
    );
    return say(`PING ${host} (${host}): 56 data bytes\n${lines.join('\n')}\n\n--- ${host} ping statistics ---\n${count} packets transmitted, ${count} packets received, 0% packet loss`, 0, (count - 1) * 0.2); // prettier-ignore
  },
  logger: () => say(''),
  ifup: () => say('', 0, 1),
  ifdown: () => say(''),
  wifi: () => say('', 0, 1),
  uci: ({ settings }, words) => {
    const [verb = '', given = ''] = words.filter((word) => word !== '-q');
    const [name = '', value = ''] = given.split(/=(.*)/s);
    if (verb === 'set') settings.set(name, [value]);
    else if (verb === 'add_list') settings.set(name, [...(settings.get(name) ?? []), value]);
    else if (verb === 'get' || verb === 'delete') {
      const values = settings.get(name);
      if (!values) return say('uci: Entry not found', 1);
      if (verb === 'get') return say(values.join(' '));
      settings.delete(name);
    } else if (verb !== 'commit') return say(`uci: unknown command ${verb}`, 1);
    return say('');
  },
  gsmctl: ({ identity, vitals }, [option]) => {
    const report = vitals.report();
    if (identity.model.modem === undefined) return say('No modem found', 1);
    if (option === '-q') return say(`RSSI: ${report['signal']}\nRSRP: ${report['rsrp']}\nSINR: ${report['sinr']}\nRSRQ: ${report['rsrq']}`);
    if (option === '-o') return say(identity.network.operator);
    if (option === '-t') return say(String(report['connection_type']));
    if (option === '-i') return say(identity.imei ?? '');
    return say(`gsmctl: unknown option ${option ?? ''}`, 1);
  },
};

/** Of a script that chooses by its first argument: the first program of the chosen part that there is, with its arguments. */
function runScript(router: Router, script: string, given: string[]): ShellAnswer {
  const parts = /^case \$1 in (.*) esac$/s.exec(script)?.[1]?.split(';;') ?? [];
  const label = `${given[0] ?? ''}) `;
  const part = parts.map((text) => text.trim()).find((text) => text.startsWith(label));
  const filled = (part ?? label).slice(label.length).replace(/"?\$(\d)"?/g, (_whole, place: string) => given[Number(place) - 1] ?? '');
  for (const command of filled.split(/\|\||;|\bthen\b/)) {
    const words = command.trim().replace(/^exec /, '').replaceAll(/\d?>\S+/g, '').split(/\s+/).filter((word) => word !== '--'); // prettier-ignore
    const [name = '', ...rest] = words;
    if (Object.hasOwn(PROGRAMS, name)) return PROGRAMS[name]?.(router, rest.filter(Boolean)) ?? say('', 127);
  }
  return say('sh: not found', 127);
}

const LOG_WORDS = [
  'daemon.info dnsmasq-dhcp: DHCPREQUEST(br-lan) 192.168.1.20',
  'daemon.info dnsmasq-dhcp: DHCPACK(br-lan) 192.168.1.20 lab-printer',
  'kern.info kernel: br-lan: port 2(lan2) entered forwarding state',
  'daemon.notice netifd: Interface wan is now up',
  'authpriv.info dropbear: Child connection from 192.168.1.31',
];

/** So many lines of a simulated log, one a second up to now. */
function logLines({ identity }: Router, count: number): string {
  const at = Date.now();
  const wanted = Math.max(1, Math.min(count, 500));
  return Array.from({ length: wanted }, (_, line) => {
    const time = new Date(at - (wanted - line) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `${time} Simulated-${identity.model.name} ${LOG_WORDS[line % LOG_WORDS.length]}`;
  }).join('\n');
}

// A word of plain, quoted and escaped parts, or what parts commands.
const TOKEN = /(?:'[^']*'|"[^"]*"|\\.|&(?!&)|[^\s;&'"\\])+|&&|[;\n]/g;
const PART = /'([^']*)'|"([^"]*)"|\\(.)/gs;

/** The commands of a text: lists of them that `;` or a new line parts, each with commands that `&&` joins, as words. */
function linesOf(command: string): string[][][] {
  const lines: string[][][] = [[[]]];
  for (const token of command.match(TOKEN) ?? []) {
    if (token === ';' || token === '\n') lines.push([[]]);
    else if (token === '&&') lines.at(-1)?.push([]);
    else lines.at(-1)?.at(-1)?.push(token.replace(PART, '$1$2$3'));
  }
  return lines;
}

/** Answers a command as a small router would: parts parted by `;`, new lines and `&&`, quotes taken off, no pipes or variables. */
export function runSimulated(router: Router, command: string): ShellAnswer {
  const whole: ShellAnswer = { code: 0, output: '', seconds: 0 };
  for (const line of linesOf(command)) {
    for (const [name, ...rest] of line) {
      if (name === undefined) continue;
      const answer = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name]?.(router, rest) : undefined;
      const { code, output, seconds } = answer ?? say(`sh: ${name}: not found`, 127);
      whole.code = code;
      whole.output += output;
      whole.seconds += seconds;
      if (name === 'exit') return whole;
      if (code !== 0) break;
    }
  }
  whole.output = whole.output.slice(0, MAX_OUTPUT);
  return whole;
}

function formatUptime(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const clock = `${Math.floor((seconds % 86_400) / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`;
  return days > 0 ? `${days} days, ${clock}` : clock;
}
