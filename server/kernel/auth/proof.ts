import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { MINUTE } from '../clock.ts';
import { Unauthorized } from '../errors.ts';
import { languageOfCall } from '../language.ts';
import { originOf } from '../origin.ts';
import { requireSecondFactor, type Proof } from './challenges.ts';
import { PasswordRequired, SessionRequired } from './errors.ts';
import { siteOf } from './passkeys.ts';
import { findFactors, isBoundToProvider, type Factors } from './second-factors.ts';
import { deriveToken } from './tokens.ts';

/** How long a typed password counts: at sign-in for all calls that ask for it, later for the one that did. */
const PASSWORD_COUNTS_MS = 10 * MINUTE;

const member = { type: 'string', maxLength: 200, description: 'Sent with the second try of a call that answered MFA_REQUIRED.' } as const;
/** A code, or the JSON of an authenticator's answer. */
const codeMember = { ...member, maxLength: 4096 } as const;

/** The members that a body may have beside its own on routes that ask for a second factor. */
export const proofMembers = { session_code: codeMember, session_id: member, session_uuid: member } as const;

function takeText(body: Record<string, unknown>, name: keyof typeof proofMembers): string {
  const value = body[name];
  delete body[name];
  return typeof value === 'string' ? value.slice(0, proofMembers[name].maxLength) : '';
}

/** Takes the members of a second factor out of a call's body, so that the body's rules never see them; undefined when there are none. */
export function takeProof(request: FastifyRequest): Proof | undefined {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const members = body as Record<string, unknown>;
  if (!Object.keys(proofMembers).some((name) => name in members)) return undefined;
  return { code: takeText(members, 'session_code'), id: takeText(members, 'session_id'), uuid: takeText(members, 'session_uuid') };
}

/** JSON with its members in one order, whatever order they were sent in. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, inOneOrder(inner)]);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** A call's method, address and body as one text that only the server can compute: a body may hold a password. */
export function hashRequest({ secretKey }: Pick<Context, 'secretKey'>, request: FastifyRequest): string {
  return deriveToken(secretKey, 'request', `${request.method} ${request.url}\n${JSON.stringify(inOneOrder(request.body ?? {}))}`);
}

/** Asks the caller for the second factor; answers false for somebody without one. Throws SESSION_REQUIRED for access tokens, MFA_REQUIRED, CONFIRMATION_FAILED. */
export async function requireOwnSecondFactor(ctx: Context, request: FastifyRequest): Promise<boolean> {
  const { actor } = request;
  if (!actor) throw new Unauthorized({});
  if (actor.sessionId === undefined) throw new SessionRequired({});
  const factors = await findFactors(ctx.reads, actor.userId);
  if (!factors) return false;
  await requireFactors(ctx, request, { actor, factors, sessionId: actor.sessionId });
  return true;
}

async function requireFactors(
  ctx: Context,
  request: FastifyRequest,
  { actor, factors, sessionId }: { actor: Actor; factors: Factors; sessionId: string },
): Promise<void> {
  const user = { id: actor.userId, email: actor.email, username: actor.name, company_id: actor.companyId };
  const call = {
    requestHash: hashRequest(ctx, request),
    origin: originOf(request),
    language: languageOfCall(request.headers),
    site: siteOf(ctx, request.headers),
  };
  await requireSecondFactor(ctx, { user, factors, sessionId, ...call }, request.proof);
}

/**
 * Lets a call pass only when its session shows again who it is: by the second factor, and without one by a password typed within the last
 * ten minutes to sign in or for this very call (docs/checks.md SE5), or again at the identity provider that the account is bound to.
 * Throws as `requireOwnSecondFactor`, and PASSWORD_REQUIRED.
 */
export async function requireSudo(ctx: Context, request: FastifyRequest): Promise<void> {
  if (await requireOwnSecondFactor(ctx, request)) return;
  const { actor } = request;
  if (actor?.sessionId === undefined) throw new PasswordRequired({});
  const { sessionId, userId } = actor;
  const session = await ctx.reads
    .selectFrom('sessions')
    .select(['password_confirmed_at', 'confirmed_call', 'call_confirmed_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const counts = (at: number): boolean => ctx.clock.now() - at < PASSWORD_COUNTS_MS;
  const call = hashRequest(ctx, request);
  if (session && (counts(session.password_confirmed_at) || (session.confirmed_call === call && counts(session.call_confirmed_at)))) return;
  if (await isBoundToProvider(ctx, userId)) {
    await requireFactors(ctx, request, { actor, factors: { byCode: undefined, passkeys: [], byProvider: true }, sessionId });
    return;
  }
  await ctx.db.updateTable('sessions').set({ asked_call: call }).where('id', '=', sessionId).execute();
  throw new PasswordRequired({});
}
