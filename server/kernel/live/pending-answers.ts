import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { findActorAgain } from '../auth/find-actor.ts';
import { isAllowed } from '../route-access.ts';
import type { PendingAnswer } from './types.ts';

/**
 * Answers on their way, which end with the right to ask for them. Most ends are reported when they happen; what nobody reports, such as a token that
 * expires or a part of the console that a company loses, is found by looking again.
 */
export function createPendingAnswers(ctx: Context) {
  const answers = new Set<PendingAnswer>();

  return {
    add(answer: PendingAnswer): () => void {
      answers.add(answer);
      return () => void answers.delete(answer);
    },
    endOf(isTheirs: (actor: Actor) => boolean): void {
      for (const answer of answers) if (isTheirs(answer.actor)) answer.end();
    },
    async lookAgain(): Promise<void> {
      for (const answer of answers) {
        const actor = await findActorAgain(ctx, answer.actor);
        if (actor?.companyId !== answer.actor.companyId || !isAllowed(actor, answer.access)) answer.end();
      }
    },
  };
}
