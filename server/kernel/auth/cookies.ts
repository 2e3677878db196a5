import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { forgeryToken } from './forgery.ts';
import type { SessionTokens } from './sessions.ts';

export const FORGERY_COOKIE = 'XSRF-TOKEN';

/** Whether people reach this server over https, so that cookies can be bound to it. */
export function isSecureSite(ctx: Pick<Context, 'publicUrl'>): boolean {
  return ctx.publicUrl().startsWith('https:');
}

/** `__Host-` cookies cannot be set by a neighbour domain or over http; browsers accept them on https only. */
export function cookieNames(ctx: Pick<Context, 'publicUrl'>): { access: string; refresh: string } {
  const prefix = isSecureSite(ctx) ? '__Host-' : '';
  return { access: `${prefix}canopy_access`, refresh: `${prefix}canopy_refresh` };
}

/** Puts a session into the browser: both tokens out of reach of scripts, the forgery token readable. */
export function setSessionCookies(ctx: Context, reply: FastifyReply, tokens: SessionTokens): void {
  const names = cookieNames(ctx);
  const options = {
    path: '/',
    secure: isSecureSite(ctx),
    sameSite: 'lax',
    maxAge: Math.max(0, Math.floor((tokens.endsAt - ctx.clock.now()) / 1000)),
  } as const;
  reply.setCookie(names.access, tokens.access, { ...options, httpOnly: true });
  reply.setCookie(names.refresh, tokens.refresh, { ...options, httpOnly: true });
  reply.setCookie(FORGERY_COOKIE, forgeryToken(ctx, tokens.sessionId), options);
}

/** Takes the session out of the browser, its cached answers included. */
export function clearSessionCookies(ctx: Context, reply: FastifyReply): void {
  const names = cookieNames(ctx);
  for (const name of [names.access, names.refresh, FORGERY_COOKIE])
    reply.clearCookie(name, {
      path: '/',
      secure: isSecureSite(ctx),
      sameSite: 'lax',
      ...(name === FORGERY_COOKIE ? {} : { httpOnly: true }),
    });
  // Not "cookies": that would also clear dark mode, language and time zone.
  reply.header('clear-site-data', '"cache", "storage"');
}
