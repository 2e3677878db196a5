import type { Random } from './random.ts';

/** How a simulated device behaves; `README.md` says the same in words. */
export type Mood = 'good' | 'flaky' | 'slow' | 'offline' | 'old-firmware' | 'duplicate' | 'failing' | 'refusing';

/** How a simulated device takes an update. */
export type UpdateMood = 'good' | 'slow-flash' | 'wrong-checksum' | 'bricks' | 'loses-power' | 'old-image' | 'fails-check';

const UPDATE_MIX: Record<UpdateMood, number> = {
  good: 82,
  'slow-flash': 6,
  'wrong-checksum': 2,
  bricks: 1,
  'loses-power': 3,
  'old-image': 2,
  'fails-check': 4,
};

export const UPDATE_MOODS = Object.keys(UPDATE_MIX);

/** Answers whether a word names an update mood. */
export function isUpdateMood(word: string): word is UpdateMood {
  return word in UPDATE_MIX;
}

/** How a device takes updates, by chance. */
export function pickUpdateMood(random: Random): UpdateMood {
  const total = Object.values(UPDATE_MIX).reduce((sum, share) => sum + share, 0);
  let left = random.next() * total;
  for (const [mood, share] of Object.entries(UPDATE_MIX)) {
    left -= share;
    if (left < 0 && isUpdateMood(mood)) return mood;
  }
  return 'good';
}

/** Shares of a fleet by mood; they need not add up to anything. */
export type MoodMix = Partial<Record<Mood, number>>;

/** Seconds, from and to. */
type Span = readonly [number, number];

interface Behaviour {
  /** Time until a command's answer. */
  answerAfter: Span;
  /** How long a connection lasts before the device drops it; without it, for ever. */
  staysFor?: Span;
  /** How long it is then away; without it, until `comeBack()`. */
  awayFor?: Span;
  /** What its commands answer instead of doing anything. */
  failure?: { code: number; output: string; message: string; verbs: readonly string[] };
}

const PROMPT: Span = [0.05, 0.4];

export const BEHAVIOURS: Record<Mood, Behaviour> = {
  good: { answerAfter: PROMPT },
  flaky: { answerAfter: [0.1, 2], staysFor: [30, 180], awayFor: [5, 60] },
  slow: { answerAfter: [4, 12] },
  offline: { answerAfter: PROMPT, staysFor: [5, 20] },
  'old-firmware': { answerAfter: [0.2, 1] },
  duplicate: { answerAfter: PROMPT },
  failing: {
    answerAfter: PROMPT,
    failure: { code: 2, output: "sh: can't fork: Out of memory\n", message: "can't fork: Out of memory", verbs: ['run', 'reboot'] },
  },
  refusing: {
    answerAfter: PROMPT,
    failure: {
      code: 126,
      output: '',
      message: 'Refused: remote commands are switched off on this device',
      verbs: ['run', 'reboot', 'refresh', 'password'],
    },
  },
};

const MIXES: Record<'default' | 'good', MoodMix> = {
  good: { good: 1 },
  default: { good: 76, flaky: 6, slow: 4, offline: 5, 'old-firmware': 4, duplicate: 1, failing: 3, refusing: 1 },
};

export const MOODS = Object.keys(BEHAVIOURS);

/** Answers whether a word names a mood. */
export function isMood(word: string): word is Mood {
  return word in BEHAVIOURS;
}

/** Gives each of `count` devices its mood: exact shares, shuffled by the fleet's seed; the first is never a duplicate, it would have no original. */
export function spreadMoods(mix: 'default' | 'good' | MoodMix, count: number, random: Random): Mood[] {
  const shares = Object.entries(typeof mix === 'string' ? MIXES[mix] : mix).flatMap(([mood, share]) =>
    isMood(mood) && share > 0 ? [{ mood, share }] : [],
  );
  const total = shares.reduce((sum, entry) => sum + entry.share, 0);
  if (total === 0) throw new Error('A fleet needs at least one mood with a share above 0.');
  const spread: Mood[] = [];
  let passed = 0;
  for (const { mood, share } of shares) {
    passed += share;
    while (spread.length < Math.round((count * passed) / total)) spread.push(mood);
  }
  for (let i = spread.length - 1; i > 0; i -= 1) {
    const j = random.between(0, i);
    [spread[i], spread[j]] = [spread[j] ?? 'good', spread[i] ?? 'good'];
  }
  const original = spread.findIndex((mood) => mood !== 'duplicate');
  if (original > 0) [spread[0], spread[original]] = [spread[original] ?? 'good', spread[0] ?? 'good'];
  return spread;
}
