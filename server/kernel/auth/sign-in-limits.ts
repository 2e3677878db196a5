import { MINUTE, type Clock } from '../clock.ts';
import { TooManyRequests } from '../errors.ts';

interface Limit {
  max: number;
  periodMs: number;
}

/** Wrong passwords for one account from one address. */
const PAIR: Limit = { max: 8, periodMs: 5 * MINUTE };
/** From one address, for accounts that are not known to sign in from it. */
const ADDRESS: Limit = { max: 60, periodMs: 5 * MINUTE };
/** For one account from all addresses that it is not known to sign in from. Its owner's own addresses go on working. */
const ACCOUNT: Limit = { max: 50, periodMs: 15 * MINUTE };

/** For all accounts together, from addresses that they are not known to sign in from: guesses that are spread over many accounts and addresses. */
const ALL: Limit = { max: 2000, periodMs: 5 * MINUTE };

const KEPT_KEYS = 50_000;

/** Counts tries to sign in. Tries are counted when they begin, so that many at once are seen, and forgiven when they succeed. */
export interface SignInLimits {
  /** Throws TOO_MANY_REQUESTS. `isKnownAddress`: the account has a session from there. */
  begin(attempt: { email: string; ip: string; isKnownAddress: boolean }): void;
  succeed(attempt: { email: string; ip: string; isKnownAddress: boolean }): void;
}

/** Makes the counters; they are kept in memory and start again with the server. */
export function createSignInLimits(clock: Clock): SignInLimits {
  const counters = new Map<string, { count: number; resetsAt: number }>();

  function counterOf(key: string, { periodMs }: Limit) {
    const known = counters.get(key);
    const counter = known && known.resetsAt > clock.now() ? known : { count: 0, resetsAt: clock.now() + periodMs };
    // What was asked for last is forgotten last.
    counters.delete(key);
    counters.set(key, counter);
    if (counters.size > KEPT_KEYS) counters.delete(counters.keys().next().value ?? '');
    return counter;
  }

  return {
    begin({ email, ip, isKnownAddress }) {
      const rules: [string, Limit][] = [
        [`pair ${email} ${ip}`, PAIR],
        ...(isKnownAddress
          ? []
          : ([
              [`address ${ip}`, ADDRESS],
              [`account ${email}`, ACCOUNT],
              ['all', ALL],
            ] satisfies [string, Limit][])),
      ];
      const kept = rules.map(([key, limit]) => ({ limit, counter: counterOf(key, limit) }));
      const full = kept.find(({ limit, counter }) => counter.count >= limit.max);
      if (full) throw new TooManyRequests({ seconds: Math.ceil((full.counter.resetsAt - clock.now()) / 1000) });
      for (const { counter } of kept) counter.count += 1;
    },
    succeed({ email, ip, isKnownAddress }) {
      counters.delete(`pair ${email} ${ip}`);
      for (const key of isKnownAddress ? [] : [`address ${ip}`, `account ${email}`, 'all']) {
        const counter = counters.get(key);
        if (counter) counter.count = Math.max(0, counter.count - 1);
      }
    },
  };
}
