import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { ForgeryProtection } from '../errors.ts';
import { deriveToken, isSameText } from './tokens.ts';

/** The token that pages of this session must send with every change; bound to the session by the server's key. */
export function forgeryToken(ctx: Pick<Context, 'secretKey'>, sessionId: string): string {
  return deriveToken(ctx.secretKey, 'forgery', sessionId);
}

function ownOrigins(ctx: Pick<Context, 'publicUrl' | 'config'>, headers: IncomingHttpHeaders): string[] {
  const own = new URL(ctx.publicUrl()).origin;
  // Without PUBLIC_URL the server does not know its names; the browser's Host header says which one the page used.
  return ctx.config.publicUrl === undefined && headers.host ? [own, `http://${headers.host}`] : [own];
}

/** Whether this is a company's host name, with the protocol of PUBLIC_URL. */
async function isHostOfTheme(ctx: Pick<Context, 'publicUrl' | 'reads'>, origin: string): Promise<boolean> {
  const url = URL.parse(origin);
  if (url?.protocol !== new URL(ctx.publicUrl()).protocol) return false;
  return (await ctx.reads.selectFrom('themes').select('company_id').where('host_name', '=', url.hostname).executeTakeFirst()) !== undefined;
}

/** Whether a browser says that a page of ours sent this. Programs that are no browser send neither header and pass. */
export async function isFromOwnPage(ctx: Pick<Context, 'publicUrl' | 'config' | 'reads'>, headers: IncomingHttpHeaders): Promise<boolean> {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined || ownOrigins(ctx, headers).includes(headers.origin)) return true;
  return isHostOfTheme(ctx, headers.origin);
}

/** Throws FORGERY_PROTECTION when another site's page sent the call. */
export async function requireOwnPage(ctx: Pick<Context, 'publicUrl' | 'config' | 'reads'>, headers: IncomingHttpHeaders): Promise<void> {
  if (!(await isFromOwnPage(ctx, headers))) throw new ForgeryProtection({});
}

/** Throws FORGERY_PROTECTION unless the call carries the forgery token of this very session. */
export function requireForgeryToken(ctx: Pick<Context, 'secretKey'>, headers: IncomingHttpHeaders, sessionId: string): void {
  const sent = headers['x-xsrf-token'];
  if (typeof sent !== 'string' || !isSameText(sent, forgeryToken(ctx, sessionId))) throw new ForgeryProtection({});
}
