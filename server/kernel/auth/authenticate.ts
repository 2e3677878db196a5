import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import type { Actor, Access } from '../actor.ts';
import { Unauthorized } from '../errors.ts';
import { findDuty } from './required-actions.ts';
import { cookieNames } from './cookies.ts';
import { findSessionActor, findTokenActor } from './find-actor.ts';
import { isFromOwnPage, requireForgeryToken, requireOwnPage } from './forgery.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_TOKEN_LENGTH = 200;
// Matches `Bearer canopy_4Kd…`, any case of the scheme.
const BEARER = /^Bearer +([\w.~+/=-]{1,200})$/i;

function cookieOf(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  for (const part of (header ?? '').split(';')) {
    const text = part.trim();
    if (text.startsWith(prefix)) return text.slice(prefix.length);
  }
  return undefined;
}

/** The refresh token of a call, when it has one. */
export function refreshTokenOf(ctx: Context, headers: IncomingHttpHeaders): string | undefined {
  return cookieOf(headers.cookie, cookieNames(ctx).refresh);
}

/** The token of a call that names one, whether it is any good or not. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

async function tokenActor(ctx: Context, headers: IncomingHttpHeaders, ip: string): Promise<Actor> {
  const token = bearerOf(headers);
  const actor = token === undefined ? undefined : await findTokenActor(ctx, token, ip);
  // A wrong token is never "nobody": the caller meant to be somebody.
  if (!actor) throw new Unauthorized({});
  return actor;
}

async function sessionActor(ctx: Context, headers: IncomingHttpHeaders): Promise<Actor | undefined> {
  const access = cookieOf(headers.cookie, cookieNames(ctx).access);
  return access === undefined ? undefined : findSessionActor(ctx, access);
}

/**
 * Says who calls, before anything else of the call is read: by personal access token, else by session cookie.
 * A change by session must come from a page of ours and carry the session's forgery token; a public change must come from a page of ours.
 * Throws UNAUTHORIZED for a wrong bearer token and FORGERY_PROTECTION.
 */
export async function authenticate(ctx: Context, request: FastifyRequest, access: Access | undefined): Promise<Actor | undefined> {
  const { headers } = request;
  if (headers.authorization !== undefined && access !== 'public') return tokenActor(ctx, headers, request.ip);
  if (READING.has(request.method)) return access === 'public' ? undefined : sessionActor(ctx, headers);
  if (access === 'public') {
    await requireOwnPage(ctx, headers);
    return undefined;
  }
  const actor = await sessionActor(ctx, headers);
  if (actor?.sessionId === undefined) return undefined;
  await requireOwnPage(ctx, headers);
  requireForgeryToken(ctx, headers, actor.sessionId);
  return actor;
}

function tokenOfHandshake(headers: IncomingHttpHeaders, auth: Record<string, unknown>): string | undefined {
  const token = bearerOf(headers) ?? auth['token'];
  return typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

/**
 * Who opens a socket: where `auth` is given, the program whose access token comes in the header or as `auth.token`; else a session from a page of ours with nothing to do
 * before. A token is never read beside a cookie's session: a page that was given one acts as that program alone.
 */
export async function authenticateUpgrade(
  ctx: Context,
  headers: IncomingHttpHeaders,
  { auth, ip }: { auth?: Record<string, unknown>; ip?: string } = {},
): Promise<Actor | undefined> {
  const token = auth && tokenOfHandshake(headers, auth);
  const isPage = headers.origin !== undefined && (await isFromOwnPage(ctx, headers));
  const actor = token !== undefined ? await findTokenActor(ctx, token, ip ?? '') : isPage ? await sessionActor(ctx, headers) : undefined;
  return actor && (await findDuty(ctx, actor)) === undefined ? actor : undefined;
}
