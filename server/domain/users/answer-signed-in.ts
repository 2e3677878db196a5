import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { ok, type Answer } from '../../kernel/answer.ts';
import { Unauthorized } from '../../kernel/errors.ts';
import { setSessionCookies } from '../../kernel/auth/cookies.ts';
import { getCurrentUser } from './current-user.ts';
import { findSessionActor } from '../../kernel/auth/find-actor.ts';
import type { SessionTokens } from '../../kernel/auth/sessions.ts';

/** Puts a session into the browser and says who it is. Throws UNAUTHORIZED when the user may not come in any more. */
export async function answerSignedIn(ctx: Context, reply: FastifyReply, tokens: SessionTokens): Promise<Answer> {
  const actor = await findSessionActor(ctx, tokens.access);
  if (!actor) throw new Unauthorized({});
  setSessionCookies(ctx, reply, tokens);
  return ok(await getCurrentUser(ctx, actor));
}
