import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isMfaDemanded } from '../../kernel/auth/required-actions.ts';
import { findFactors, removeSecondFactors, renewRecoveryCodes } from '../../kernel/auth/second-factors.ts';
import { MfaKept } from './errors.ts';

/** The recovery codes that come with a person's first factor; none for a further one, whose owner has them. */
export async function firstRecoveryCodes(ctx: Context, trx: Trx, userId: number): Promise<string[]> {
  const factors = await findFactors(trx, userId);
  const isFirst = (factors?.passkeys.length ?? 0) + (factors?.byCode ? 1 : 0) === 1;
  return isFirst ? renewRecoveryCodes(ctx, trx, userId) : [];
}

/** After a factor was taken away: without any left the recovery codes go too. Throws MFA_KEPT where the company requires one. */
export async function dropCodesOfLast(trx: Trx, actor: Actor): Promise<void> {
  if (await findFactors(trx, actor.userId)) return;
  if (await isMfaDemanded(trx, actor)) throw new MfaKept({});
  await removeSecondFactors(trx, actor.userId);
}
