import { MINUTE, type Clock } from '../clock.ts';
import { TooManyRequests } from '../errors.ts';

interface Limit {
  max: number;
  periodMs: number;
}

/** Wrong passwords for one account from one address. */
const PAIR: Limit = { max: 8, periodMs: 5 * MINUTE };
/** From one address, whatever the account. */
const ADDRESS: Limit = { max: 60, periodMs: 5 * MINUTE };
/** For one account from all addresses that it is not known to sign in from. Its owner's own addresses go on working. */
const ACCOUNT: Limit = { max: 50, periodMs: 15 * MINUTE };

const KEPT_KEYS = 50_000;

/** Counts tries to sign in. Tries are counted when they begin, so that many at once are seen, and forgiven when they succeed. */
export interface SignInLimits {
  /** Throws TOO_MANY_REQUESTS. `isKnownAddress`: the account has a session from there. */
  begin(attempt: { email: string; ip: string; isKnownAddress: boolean }): void;
  succeed(attempt: { email: string; ip: string }): void;
}

/** Makes the counters; they are kept in memory and start anew with the server. */
export function createSignInLimits(clock: Clock): SignInLimits {
  const counters = new Map<string, { count: number; resetsAt: number }>();

  function counterOf(key: string, { periodMs }: Limit) {
    const known = counters.get(key);
    if (known && known.resetsAt > clock.now()) return known;
    const fresh = { count: 0, resetsAt: clock.now() + periodMs };
    counters.delete(key);
    counters.set(key, fresh);
    if (counters.size > KEPT_KEYS) counters.delete(counters.keys().next().value ?? '');
    return fresh;
  }

  return {
    begin({ email, ip, isKnownAddress }) {
      const rules: [string, Limit][] = [
        [`pair ${email} ${ip}`, PAIR],
        [`address ${ip}`, ADDRESS],
        ...(isKnownAddress ? [] : ([[`account ${email}`, ACCOUNT]] satisfies [string, Limit][])),
      ];
      const kept = rules.map(([key, limit]) => ({ limit, counter: counterOf(key, limit) }));
      const full = kept.find(({ limit, counter }) => counter.count >= limit.max);
      if (full) throw new TooManyRequests({ seconds: Math.ceil((full.counter.resetsAt - clock.now()) / 1000) });
      for (const { counter } of kept) counter.count += 1;
    },
    succeed({ email, ip }) {
      counters.delete(`pair ${email} ${ip}`);
      for (const key of [`address ${ip}`, `account ${email}`]) {
        const counter = counters.get(key);
        if (counter) counter.count = Math.max(0, counter.count - 1);
      }
    },
  };
}
