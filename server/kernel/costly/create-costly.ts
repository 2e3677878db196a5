import { finished, Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Answer } from '../answer.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { defineError } from '../errors.ts';
import { createAdmission, type AdmissionLimits } from './admission.ts';

/**
 * What a call costs whose cost the caller chooses. `processor`: seconds of a processor, in a helper process or a thread · `picture`: an image that is
 * drawn · `file`: a file that is made while it is sent · `figures`: figures over a period.
 */
export const COSTS = ['processor', 'picture', 'file', 'figures'] as const;
export type Cost = (typeof COSTS)[number];

interface CostLimits extends AdmissionLimits {
  /** How long one may run. A file counts until it is sent. */
  runMs: number;
  /** A file that its caller has taken next to nothing of for so long ends: others wait for its turn. */
  idleMs: number;
}

const IDLE_MS = 30 * SECOND;
const LEAST_BYTES = 8 * 1024;

const LIMITS: Readonly<Record<Cost, CostLimits>> = {
  // Two helper processes, so that with a short work beside a long one nobody waits for a minute.
  processor: { atOnce: 2, waitingPerPerson: 2, waiting: 20, waitMs: 30 * SECOND, runMs: MINUTE, idleMs: IDLE_MS },
  // One alone: a picture may take 200 MB while it is drawn.
  picture: { atOnce: 1, waitingPerPerson: 5, waiting: 20, waitMs: 30 * SECOND, runMs: 30 * SECOND, idleMs: IDLE_MS },
  // On PostgreSQL each holds one of the connections for long reads. Waits are longer than a file may lie idle, so that some who take nothing keep nobody out.
  file: { atOnce: 3, waitingPerPerson: 5, waiting: 30, waitMs: MINUTE, runMs: 15 * MINUTE, idleMs: IDLE_MS },
  // A dashboard asks for as many charts as it has widgets.
  figures: { atOnce: 3, waitingPerPerson: 60, waiting: 600, waitMs: 30 * SECOND, runMs: 30 * SECOND, idleMs: IDLE_MS },
};

const NEVER = new AbortController().signal;

const WorkStopped = defineError<{ seconds: number }>('WORK_STOPPED');

/** Why work ends whose caller has closed the connection. Nobody reads it. */
export class CallerLeft extends Error {
  override name = 'CallerLeft';
}

/** Runs work whose cost its caller chooses: one of a person, few at the same time, with a deadline, and not beyond the caller's connection. */
export interface Costly {
  /**
   * `signal` of the work is aborted by the deadline and by the end of the connection; without a cost or a person it just runs. Throws WORK_STOPPED and what
   * `Admission.enter` does.
   */
  run(cost: Cost | undefined, call: CostlyCall, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  counts(cost: Cost): { running: number; waiting: number };
}

interface CostlyCall {
  personId: number | undefined;
  response: ServerResponse;
}

/** A signal that is aborted when the connection of an answer is closed before the answer is sent. */
function watchCaller(response: ServerResponse): { signal: AbortSignal; stop(): void } {
  const leaving = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) leaving.abort(new CallerLeft('the caller closed the connection'));
  };
  if (response.destroyed) leave();
  response.once('close', leave);
  return { signal: leaving.signal, stop: () => void response.off('close', leave) };
}

/** Resolves with the work, or throws the reason of the signal as soon as it is aborted. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Closes the connection of an answer that its caller takes next to nothing of. Answers what stops the watch. */
function watchTaking(response: ServerResponse, idleMs: number): () => void {
  let taken = response.socket?.bytesWritten ?? 0;
  const watch = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    // Without a full buffer it is the server that the caller waits for.
    if (response.writableNeedDrain && now - taken < LEAST_BYTES) response.destroy();
    taken = now;
  }, idleMs);
  return () => clearInterval(watch);
}

/** Ends what a file that nobody takes any more is read from. */
function dropFile(answer: Answer): void {
  if ('stream' in answer && answer.stream instanceof Readable) answer.stream.destroy();
}

/** The admissions of the server; `limits` replaces those of a cost. */
export function createCostly(limits: Partial<Record<Cost, Partial<CostLimits>>> = {}): Costly {
  const limitsOf = (cost: Cost): CostLimits => ({ ...LIMITS[cost], ...limits[cost] });
  const admissions = {
    processor: createAdmission(limitsOf('processor')),
    picture: createAdmission(limitsOf('picture')),
    file: createAdmission(limitsOf('file')),
    figures: createAdmission(limitsOf('figures')),
  };

  return {
    async run(cost, { personId, response }, work) {
      if (cost === undefined || personId === undefined) return work(NEVER);
      const { runMs, idleMs } = limitsOf(cost);
      const caller = watchCaller(response);
      try {
        const leave = await admissions[cost].enter(personId, caller.signal);
        const stopped = new AbortController();
        const deadline = setTimeout(() => stopped.abort(new WorkStopped({ seconds: Math.round(runMs / SECOND) })), runMs);
        const end = (): void => {
          clearTimeout(deadline);
          leave();
        };
        const signal = AbortSignal.any([caller.signal, stopped.signal]);
        const working = work(signal);
        // @NOTE The turn ends with the work itself: work that cannot be stopped at once would else run beside the next.
        const answer = await orAborted(working, signal).catch((error: unknown) => {
          void working.then(dropFile, () => undefined).finally(end);
          throw error;
        });
        if (!('stream' in answer)) {
          end();
          return answer;
        }
        stopped.signal.addEventListener('abort', () => response.destroy());
        const stopWatching = watchTaking(response, idleMs);
        finished(response, () => {
          stopWatching();
          end();
        });
        return answer;
      } finally {
        caller.stop();
      }
    },
    counts: (cost) => admissions[cost].counts(),
  };
}
