/** A seeded source of chance: the same seed gives the same fleet. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  digits(count: number): string;
  hex(count: number): string;
}

/** Makes a source of chance from text (mulberry32 over an FNV-1a hash of it; good enough for stories, not for secrets). */
export function makeRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i += 1) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const text = (alphabet: string, count: number) => {
    let made = '';
    for (let i = 0; i < count; i += 1) made += alphabet.charAt(between(0, alphabet.length - 1));
    return made;
  };
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    digits: (count) => text('0123456789', count),
    hex: (count) => text('0123456789ABCDEF', count),
  };
}
