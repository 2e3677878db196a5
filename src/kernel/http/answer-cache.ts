export type AnswerCache<T> = ReturnType<typeof createAnswerCache<T>>;

export interface AnswerCacheInit {
  /** Milliseconds that an answer is good for. */
  keepMs?: number;
  /** When there are more, the one that was asked for longest ago goes. */
  most?: number;
  now?(): number;
}

// docs/behaviour.md section 9, Kept answers.
const KEEP_MS = 300_000;
const MOST = 100;

/** Answers by their key for a while (5 minutes and 100 of them unless told). `about` names the resources that an answer tells of. */
export function createAnswerCache<T>({ keepMs = KEEP_MS, most = MOST, now = () => Date.now() }: AnswerCacheInit = {}) {
  // In the order in which they were asked for, the newest last.
  const entries = new Map<string, { answer: T; about: readonly string[]; keptAt: number }>();

  return {
    find(key: string): T | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (now() - entry.keptAt >= keepMs) return undefined;
      entries.set(key, entry);
      return entry.answer;
    },
    keep(key: string, answer: T, about: readonly string[]): void {
      entries.delete(key);
      entries.set(key, { answer, about, keptAt: now() });
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    /** Drops what tells of a resource. */
    forget(resource: string): void {
      for (const [key, { about }] of entries) if (about.includes(resource)) entries.delete(key);
    },
    clear(): void {
      entries.clear();
    },
  };
}
