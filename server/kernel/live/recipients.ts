import type { Actor } from '../actor.ts';
import { isPresent } from '../tenancy.ts';

/** Those of one session, of one access token, of a user, everywhere or in one company, of everybody in the company at a path and below it, or in some companies. */
export type Recipients =
  | { sessionId: string }
  | { tokenId: number }
  | { userId: number; companyId?: number }
  | { companyPath: string }
  | { companyIds: readonly number[] };

/** Whether an actor is whom a goodbye is for: a user, and anyone who acts on its behalf, one session or token. */
export function isOf(actor: Actor, whose: Recipients): boolean {
  if ('sessionId' in whose) return actor.sessionId === whose.sessionId;
  if ('tokenId' in whose) return actor.tokenId === whose.tokenId;
  if ('companyIds' in whose) return whose.companyIds.includes(actor.companyId);
  if ('companyPath' in whose) return isPresent(whose.companyPath) && actor.companyPath.startsWith(whose.companyPath);
  return [actor.userId, actor.onBehalfOf].includes(whose.userId) && (whose.companyId ?? actor.companyId) === actor.companyId;
}
