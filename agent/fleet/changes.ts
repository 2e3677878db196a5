import { EsimChip } from './esim.ts';
import type { Hotspot } from './hotspot.ts';
import type { Identity } from './models.ts';
import type { Mood } from './device-behaviours.ts';
import { failed, type Command, type Result, fieldsOf, ok } from './protocol.ts';
import { makeRandom } from './random.ts';
import { Vpn } from './vpn.ts';
import { hash } from 'node:crypto';

/** The verbs that this room answers. */
export const CHANGE_VERBS: ReadonlySet<string> = new Set(['password', 'esim', 'hotspot']);

/** What of a simulated device is changed at once: its passwords, its hotspot, and its eSIM profiles where it has a chip. */
export class Changes {
  readonly passwords = new Passwords();
  readonly vpn = new Vpn();
  private readonly esim: EsimChip | undefined;
  private readonly hotspot: Hotspot | undefined;
  private readonly device: { readonly identity: Identity; readonly mood: Mood };

  constructor(device: { readonly identity: Identity; readonly mood: Mood }, hotspot: Hotspot | undefined) {
    this.device = device;
    this.hotspot = hotspot;
    const { model, serial, network } = device.identity;
    this.esim = model.esim ? new EsimChip(makeRandom(`esim ${serial}`), network.operator) : undefined;
  }

  answer({ verb, body }: Pick<Command, 'verb' | 'body'>): Result {
    if (verb === 'password') return this.passwords.set(body, this.device.mood !== 'failing');
    if (verb === 'hotspot') return this.hotspot?.answer(body) ?? failed('This device has no hotspot');
    return this.esim?.answer(body) ?? failed('This device has no program for eSIM profiles: it needs lpac');
  }
}

/** The passwords of a simulated device, as hashes by user. */
export class Passwords {
  private readonly hashes = new Map([
    ['root', ''],
    ['admin', ''],
  ]);

  /** Sets one as the verb `password` asks for it; `takes` is false for a device that keeps its former one. */
  set(body: string, takes: boolean): Result {
    const fields = fieldsOf(body);
    const user = fields.get('user') ?? '';
    const password = fields.get('password') ?? '';
    if (!/^[!-~]+$/.test(password)) return failed('This is no password');
    if (!this.hashes.has(user)) return failed(`There is no user ${user} with a password`);
    if (!takes) return failed(`The former password of ${user} is in force: it does not work`);
    this.hashes.set(user, hash('sha256', password));
    return ok(`The new password of ${user} works`);
  }

  /** Whether this is the password of a user. */
  isOf(user: string, password: string): boolean {
    return this.hashes.get(user) === hash('sha256', password);
  }
}
