import { FORGERY_COOKIE } from '../../server/kernel/auth/cookies.ts';
import { confirmRequest } from '../../server/features/impersonation/consent.ts';
import { hashToken } from '../../server/kernel/auth/tokens.ts';
import { findSessionActor } from '../../server/kernel/auth/find-actor.ts';
import type { Answer, Caller } from './as.ts';
import { send } from './as.ts';
import type { World } from './world.ts';

const origin = { ip: '127.0.0.1', requestId: 'test', userAgent: 'test' };

/** Headers of the session that an answer has put into the browser. */
export function headersOf(world: World, answer: Answer): Record<string, string> {
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).split(';')[0] ?? '');
  const forgery = cookies.find((cookie) => cookie.startsWith(FORGERY_COOKIE))?.slice(FORGERY_COOKIE.length + 1) ?? '';
  return {
    cookie: cookies.join('; '),
    'x-xsrf-token': forgery,
    'x-requested-with': 'XMLHttpRequest',
    origin: world.ctx.publicUrl(),
  };
}

/** Lets the actor ask, gives the request a token that the test knows in place of the mailed one, and answers both. */
export async function askFor(
  world: World,
  actor: Caller,
  subject: Caller,
  token = 'a token',
): Promise<{ id: number; token: string; answer: Answer }> {
  const answer = await actor.post(`/users/${subject.user.id}/impersonation-requests`, { reason: 'a broken list' });
  const row = await world.ctx.db
    .updateTable('impersonation_requests')
    .set({ token_hash: hashToken(token) })
    .where('requested_by', '=', actor.user.id)
    .where('user_id', '=', subject.user.id)
    .returning('id')
    .executeTakeFirst();
  return { id: row?.id ?? 0, token, answer };
}

/** Asks, agrees for some hours below the routes, and begins; answers the headers of the session that acts. */
export async function actFor(world: World, actor: Caller, subject: Caller, hours = 1) {
  const { id, token } = await askFor(world, actor, subject, `a token of ${actor.user.id} for ${subject.user.id}`);
  const access = /canopy_access=([^;]+)/.exec(subject.headers['cookie'] ?? '')?.[1] ?? '';
  const own = await findSessionActor(world.ctx, access);
  if (!own) throw new Error('the subject has no session');
  await confirmRequest(world.ctx, { actor: own, origin }, { token, hours });
  const started = await send(world, 'POST', `/users/impersonation/${id}/start`, { headers: actor.headers });
  return { id, started, headers: headersOf(world, started) };
}
