import { failed, fieldsOf, ok, type Result } from './protocol.ts';
import type { Random } from './random.ts';

interface Account {
  name: string;
  minutes: number;
  megabytes: number;
  ends_at: number;
  first_at: number;
}

interface Session {
  name: string;
  mac: string;
  ip: string;
  started_at: number;
  rx_bytes: number;
  tx_bytes: number;
}

const MOST_ACCOUNTS = 1000;
const ACCOUNT = /^[!#-[\]-~]{1,64}$/;
const PASSWORD = /^[!-~]{1,64}$/;
const NETWORK = 'Harbour Guest';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** All values of a key in a command's body. */
const allOf = (body: string, key: string): string[] =>
  body.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

/** The hotspot of a simulated device: accounts that it keeps, some of whose people sign in by and by. */
export class Hotspot {
  private readonly random: Random;
  private readonly ip: string;
  private accounts: Account[];
  private sessions: Session[] = [];
  private title = 'Welcome';

  constructor(random: Random, lanIp: string) {
    this.random = random;
    this.ip = lanIp.replace(/^\d+\.\d+/, '172.16');
    const first_at = nowSeconds() - random.between(60, 3000);
    this.accounts = [
      { name: 'crew', minutes: 0, megabytes: 0, ends_at: 0, first_at },
      { name: 'guest', minutes: 120, megabytes: 500, ends_at: 0, first_at: 0 },
    ];
    this.signIn(this.accounts[0], first_at);
  }

  /** Its entry in `up/details`. */
  report(): object {
    this.live();
    return { index: 1, ssid: NETWORK, active: true, ip: this.ip, users: this.sessions.length, auth: 'password' };
  }

  /** Does what the verb `hotspot` asks for. */
  answer(body: string): Result {
    const problem = this.change(body);
    if (problem !== undefined) return failed(problem);
    this.live();
    return { ...ok('Done'), output: `${JSON.stringify({ accounts: this.accounts, sessions: this.sessions })}\n` };
  }

  private change(body: string): string | undefined {
    const fields = fieldsOf(body);
    const what = fields.get('do');
    if (fields.get('index') !== '1') return 'There is no hotspot of this number';
    if (what === 'add') return this.add(allOf(body, 'account'));
    if (what === 'remove') {
      const names = new Set(allOf(body, 'name'));
      this.accounts = this.accounts.filter(({ name }) => !names.has(name));
      this.sessions = this.sessions.filter(({ name }) => !names.has(name));
    } else if (what === 'page') this.title = fields.get('title') ?? this.title;
    else if (what !== 'list') return `Unknown: ${what}`;
    return undefined;
  }

  private add(lines: readonly string[]): string | undefined {
    const given = lines.map((line) => line.split(' '));
    if (given.some(([name = '', password = '']) => !ACCOUNT.test(name) || !PASSWORD.test(password))) return 'This is no account';
    const names = new Set(given.map(([name]) => name));
    const kept = this.accounts.filter(({ name }) => !names.has(name));
    if (kept.length + given.length > MOST_ACCOUNTS) return `There is room for ${MOST_ACCOUNTS} accounts`;
    const added = given.map(([name = '', , minutes, megabytes, ends]) => ({
      name,
      minutes: Number(minutes),
      megabytes: Number(megabytes),
      ends_at: Number(ends),
      first_at: 0,
    }));
    this.accounts = [...kept, ...added];
    return undefined;
  }

  /** People come, use data and go when their time, their data or their account is over. */
  private live(): void {
    const now = nowSeconds();
    for (const session of this.sessions) {
      session.rx_bytes += this.random.between(10_000, 4_000_000);
      session.tx_bytes += this.random.between(2_000, 400_000);
    }
    this.sessions = this.sessions.filter(({ name, rx_bytes, tx_bytes }) => {
      const account = this.accounts.find((one) => one.name === name);
      if (!account || (account.ends_at > 0 && account.ends_at < now)) return false;
      if (account.minutes > 0 && now > account.first_at + account.minutes * 60) return false;
      return account.megabytes === 0 || rx_bytes + tx_bytes < account.megabytes * 1_000_000;
    });
    const fresh = this.accounts.find(({ name, first_at }) => first_at === 0 && name !== 'guest');
    if (fresh && this.random.next() < 0.3) this.signIn(fresh, now);
  }

  private signIn(account: Account | undefined, at: number): void {
    if (!account) return;
    account.first_at = at;
    this.sessions.push({
      name: account.name,
      mac: `02:00:${this.random.hex(8).replace(/(..)(?=.)/g, '$1:')}`,
      ip: this.ip.replace(/\d+$/, String(100 + this.sessions.length)),
      started_at: at,
      rx_bytes: this.random.between(100_000, 90_000_000),
      tx_bytes: this.random.between(10_000, 9_000_000),
    });
  }
}
