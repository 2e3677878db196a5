import { useEffect, useState } from 'react';

const TICK_MS = 50;
/** Waits longer than this are shortened to it. */
const LONGEST_WAIT_SECONDS = 2;

/** What is replayed. */
export interface Replayed {
  /** How many seconds pass from a time until something happens again. */
  wait(at: number): number;
  /** Whether the picture of the present time is not there yet: the clock waits for it. */
  isBehind?(): boolean;
}

/** The time line of a recording, in seconds: it runs at the chosen speed while it plays, and shortens long waits. */
export function useReplayClock(replayed: Replayed | undefined, seconds: number) {
  const [at, onSeek] = useState(0);
  const [isPlaying, onPlay] = useState(true);
  const [speed, onSpeed] = useState('1');
  useEffect(() => {
    if (!isPlaying || !replayed) return undefined;
    const timer = setInterval(() => {
      if (replayed.isBehind?.()) return;
      onSeek((before) => {
        const skip = Math.max(replayed.wait(before) - LONGEST_WAIT_SECONDS, 0);
        const next = Math.min(before + skip + (TICK_MS / 1000) * Number(speed), seconds);
        if (next >= seconds) onPlay(false);
        return next;
      });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, replayed, seconds]);
  return { at, isPlaying, speed, seconds, onSeek, onPlay, onSpeed };
}
