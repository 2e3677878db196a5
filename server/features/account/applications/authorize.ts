import { permissionNames } from '../../../../schemas/_generated/contract.ts';
import { permissionsOfScope } from '../../../../schemas/kit/resources/token-scopes.ts';
import type { Context } from '../../../context.ts';
import { can, type Actor, type Caller } from '../../../kernel/actor.ts';
import { writeAudit } from '../../../kernel/audit.ts';
import { hashToken, randomToken } from '../../../kernel/auth/tokens.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { inTransaction } from '../../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../../kernel/errors.ts';
import { findClient, textsOf, type ApplicationRow } from './repo.ts';

const CODE_MS = 1 * MINUTE;
// A SHA-256 in base64url.
const CHALLENGE = /^[\w-]{43}$/;

/** What an application asks for in the address that it opens (RFC 6749, 4.1.1 and RFC 7636, 4.3). */
export interface AuthorizationRequest {
  response_type: string;
  client_id: string;
  redirect_uri: string;
  scope?: string | undefined;
  state?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
}

/** What a person is shown before they decide, or where to send them at once because the application asks wrongly. */
type Consent =
  | { location: string }
  | {
      location: null;
      application: { name: string; description: string; company_name: string; redirect_host: string };
      scopes: { name: string; permissions: string[]; is_held: boolean }[];
    };

/** An address of a native application may have any port on the loopback (RFC 8252, 7.3); all else is compared letter for letter. */
function isRegistered(given: string, registered: readonly string[]): boolean {
  if (registered.includes(given)) return true;
  const url = URL.parse(given);
  if (url?.protocol !== 'http:') return false;
  return registered.some((text) => {
    const known = URL.parse(text);
    if (known?.protocol !== 'http:' || known.hostname !== url.hostname) return false;
    known.port = url.port;
    return known.href === url.href && given === url.href;
  });
}

/** The application that asks, if it is one of the actor's company or of one above it. Throws NOT_FOUND at `client_id`, INVALID_FIELD at `redirect_uri`. */
async function requireClient(ctx: Context, actor: Actor, request: AuthorizationRequest): Promise<ApplicationRow> {
  const application = await findClient(ctx.reads, request.client_id, ctx.clock.now());
  if (!application || !actor.companyPath.startsWith(application.company_path)) throw new NotFound({}, { source: 'client_id' });
  if (!isRegistered(request.redirect_uri, textsOf(application.redirect_uris)))
    throw new InvalidFields([{ source: 'redirect_uri', message: 'The application is not registered with this address.' }]);
  return application;
}

function locationOf({ redirect_uri, state }: AuthorizationRequest, answer: Record<string, string>): string {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }) })) url.searchParams.set(name, value);
  return url.href;
}

const wordsOf = (text: string): string[] => [...new Set(text.split(' ').filter((word) => word !== ''))];

const isHeld = (actor: Actor, scope: string): boolean => permissionsOfScope(scope, permissionNames).some((name) => can(actor, name));

/** The scopes that are asked for, or what is wrong with the request (RFC 6749, 4.1.2.1). Without any named, all that the application has. */
function judge(
  actor: Actor,
  application: ApplicationRow,
  request: AuthorizationRequest,
): { scopes: string[] } | { error: string; why: string } {
  if (request.response_type !== 'code') return { error: 'unsupported_response_type', why: 'Only the response type "code" is offered.' };
  if (request.code_challenge_method !== 'S256' || !CHALLENGE.test(request.code_challenge ?? ''))
    return { error: 'invalid_request', why: 'A code_challenge with the method S256 is needed.' };
  const registered = textsOf(application.scopes);
  const scopes = request.scope === undefined || request.scope.trim() === '' ? registered : wordsOf(request.scope);
  const foreign = scopes.find((scope) => !registered.includes(scope));
  if (foreign !== undefined) return { error: 'invalid_scope', why: 'The application is not registered with one of these scopes.' };
  if (!scopes.some((scope) => isHeld(actor, scope))) return { error: 'access_denied', why: 'The person holds none of these scopes.' };
  return { scopes };
}

/** Says what an application asks for. Throws NOT_FOUND and INVALID_FIELD where nobody may be sent back. */
export async function readConsent(ctx: Context, actor: Actor, request: AuthorizationRequest): Promise<Consent> {
  const application = await requireClient(ctx, actor, request);
  const verdict = judge(actor, application, request);
  if ('error' in verdict) return { location: locationOf(request, { error: verdict.error, error_description: verdict.why }) };
  const redirect = new URL(request.redirect_uri);
  return {
    location: null,
    application: {
      name: application.name,
      description: application.description,
      company_name: application.company_name,
      redirect_host: redirect.host === '' ? redirect.protocol : redirect.host,
    },
    scopes: verdict.scopes.map((name) => ({
      name,
      permissions: permissionsOfScope(name, permissionNames).filter((permission) => can(actor, permission)),
      is_held: isHeld(actor, name),
    })),
  };
}

/** Keeps what a person decided; answers where to send them. The code works once, for a minute, and only with the verifier of the request. */
export async function decide(
  ctx: Context,
  { actor, origin }: Caller,
  { is_allowed, ...request }: AuthorizationRequest & { is_allowed: boolean },
): Promise<{ location: string }> {
  const application = await requireClient(ctx, actor, request);
  const verdict = judge(actor, application, request);
  if ('error' in verdict) return { location: locationOf(request, { error: verdict.error, error_description: verdict.why }) };
  if (!is_allowed) return { location: locationOf(request, { error: 'access_denied' }) };
  const code = randomToken();
  const at = ctx.clock.now();
  const scopes = verdict.scopes.filter((scope) => isHeld(actor, scope));
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .insertInto('application_codes')
      .values({
        code_hash: hashToken(code),
        application_id: application.id,
        user_id: actor.userId,
        company_id: actor.companyId,
        redirect_uri: request.redirect_uri,
        scopes: JSON.stringify(scopes),
        challenge: request.code_challenge ?? '',
        expires_at: at + CODE_MS,
        token_id: null,
      })
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'applications.allow',
        entity: 'application',
        entityId: application.id,
        entityName: application.name,
        companyId: actor.companyId,
        before: null,
        after: { scopes: scopes.join(' '), redirect_uri: request.redirect_uri },
      },
    ]);
  });
  return { location: locationOf(request, { code }) };
}

/** Where to send somebody who signs out of an application that named itself; undefined for one that is not registered with this address. */
export async function findSignOutLocation(ctx: Context, clientId: string, redirectUri: string): Promise<string | undefined> {
  const application = await findClient(ctx.reads, clientId, ctx.clock.now());
  return application && isRegistered(redirectUri, textsOf(application.redirect_uris)) ? redirectUri : undefined;
}
