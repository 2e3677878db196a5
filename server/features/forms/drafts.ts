import { MINUTE, type Clock } from '../../kernel/clock.ts';
import type { CompiledForm } from './catalogue.ts';

const KEPT_MS = 10 * MINUTE;
const MAX_KEPT = 20;

export type Drafts = ReturnType<typeof createDrafts>;

/** The newest texts that were judged and found right without being saved, compiled, by the hash of their code: what editors draw and try. */
export function createDrafts(clock: Clock) {
  const drafts = new Map<string, { draft: CompiledForm; until: number }>();

  return {
    /** Keeps a draft for some minutes, as long as not too many came after it. */
    keep(draft: CompiledForm): void {
      drafts.delete(draft.hash);
      drafts.set(draft.hash, { draft, until: clock.now() + KEPT_MS });
      for (const [hash, { until }] of drafts) if (drafts.size > MAX_KEPT || until < clock.now()) drafts.delete(hash);
    },
    find(hash: string): CompiledForm | undefined {
      const kept = drafts.get(hash);
      return kept && kept.until >= clock.now() ? kept.draft : undefined;
    },
  };
}
