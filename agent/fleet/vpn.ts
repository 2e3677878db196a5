import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { failed, fieldsOf, ok, type Result } from './protocol.ts';

const publicKey = (): string => {
  const { x = '' } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
};

/** The VPN of a simulated device: it makes keys and keeps what it was given, and connects to nothing. */
export class Vpn {
  private readonly keys = new Map<string, string>();
  /** By the name of the interface. */
  readonly profiles = new Map<string, string>();

  /** Answers what puts back how it is now. */
  keep(): () => void {
    const [keys, profiles] = [new Map(this.keys), new Map(this.profiles)];
    return () => {
      for (const [current, former] of [
        [this.keys, keys],
        [this.profiles, profiles],
      ] as const) {
        current.clear();
        for (const [name, value] of former) current.set(name, value);
      }
    };
  }

  answer(body: string): Result {
    const fields = fieldsOf(body);
    const [what, name = '', kind] = [fields.get('do'), fields.get('name'), fields.get('kind')];
    if (what === 'remove') {
      this.keys.delete(name);
      this.profiles.delete(name);
      return ok('Done');
    }
    if (what !== 'key' && what !== 'apply') return failed(`Unknown: ${what}`);
    if (what === 'apply') this.profiles.set(name, body);
    if (kind === 'wireguard') {
      const key = this.keys.get(name) ?? publicKey();
      this.keys.set(name, key);
      return { ...ok('Done'), output: `public_key=${key}\n` };
    }
    return what === 'apply' ? ok('Done') : this.request();
  }

  /** Requests are made by the program that real devices make them with. */
  private request(): Result {
    const { stdout, status } = spawnSync(
      'openssl',
      ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=device'],
      { encoding: 'utf8' },
    );
    return status === 0 ? { ...ok('Done'), output: stdout } : failed('This device cannot make a key: it needs openssl');
  }
}
