import type { SimulatedDevice } from './device.ts';

/** What the devices of a fleet share. */
export interface Surroundings {
  /** Lets connections through at the fleet's pace. */
  admit: (connect: () => void) => void;
  /** The server, for files. */
  url: string;
  periodSeconds: number | undefined;
  /** Between two measurements. */
  measureMs: number;
  rebootSeconds: readonly [number, number];
  onForgotten: (device: SimulatedDevice) => void;
}
