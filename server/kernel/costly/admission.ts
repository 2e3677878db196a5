import { Overloaded, defineError } from '../errors.ts';

export const OwnWorkRunning = defineError('OWN_WORK_RUNNING');

export interface AdmissionLimits {
  /** Works that run at the same time, one of each person. */
  atOnce: number;
  waitingPerPerson: number;
  waiting: number;
  waitMs: number;
}

/** Lets work of persons begin: one of each, some at the same time, the others in the order in which they came. */
export interface Admission {
  /**
   * Resolves when the work may begin, with what ends its turn. Throws OWN_WORK_RUNNING when too many of the person wait already, OVERLOADED when too many wait
   * in all or the wait takes too long, and the reason of the signal when that is aborted.
   */
  enter(personId: number, signal: AbortSignal): Promise<() => void>;
  counts(): { running: number; waiting: number };
}

interface Waiting {
  personId: number;
  begin(): void;
}

/** An admission without anybody in it. */
export function createAdmission({ atOnce, waitingPerPerson, waiting: maxWaiting, waitMs }: AdmissionLimits): Admission {
  const running = new Set<number>();
  const waiting = new Set<Waiting>();

  function begin(personId: number): () => void {
    running.add(personId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      running.delete(personId);
      beginNext();
    };
  }

  function beginNext(): void {
    for (const next of waiting) {
      if (running.size >= atOnce) return;
      if (!running.has(next.personId)) next.begin();
    }
  }

  function wait(personId: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(entry);
        clearTimeout(late);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason);
      };
      const late = setTimeout(() => {
        leave();
        reject(new Overloaded({}));
      }, waitMs);
      const entry: Waiting = {
        personId,
        begin() {
          leave();
          resolve(begin(personId));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(entry);
    });
  }

  return {
    async enter(personId, signal) {
      signal.throwIfAborted();
      if (!running.has(personId) && running.size < atOnce) return begin(personId);
      const ownCount = [...waiting].filter((entry) => entry.personId === personId).length;
      if (ownCount >= waitingPerPerson) throw new OwnWorkRunning({});
      if (waiting.size >= maxWaiting) throw new Overloaded({});
      return wait(personId, signal);
    },
    counts: () => ({ running: running.size, waiting: waiting.size }),
  };
}
