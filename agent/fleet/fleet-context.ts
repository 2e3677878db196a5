import type { Identity } from './models.ts';
import type { Mood, UpdateMood } from './device-behaviours.ts';
import type { Random } from './random.ts';

/** What the devices of a fleet share. */
export interface FleetContext {
  /** Lets connections through at the fleet's pace. */
  admit: (connect: () => void) => void;
  /** The server, for files. */
  url: string;
  periodSeconds: number | undefined;
  /** Between two measurements. */
  measureMs: number;
  rebootSeconds: readonly [number, number];
  /** The server knows this device no more. */
  onForgotten: (identity: Identity) => void;
}

/** What a simulated device is made of. */
export interface DeviceSeed {
  identity: Identity;
  random: Random;
  mood: Mood;
  /** Default: good. */
  updateMood?: UpdateMood;
  code: string | undefined;
  /** It joined before and boots now, with counters at zero, so that no past data is reported once more. */
  hasJoined?: boolean;
  fleet: FleetContext;
}
