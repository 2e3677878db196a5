import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { HOUR } from '../clock.ts';
import { LinkRefused } from './errors.ts';
import { hashToken, randomToken } from './tokens.ts';

type Link = Row<'account_links'>;

/** How long a link by mail works. */
export const LINK_MS = HOUR;

/** Makes a link of this kind for a user; the ones before it are void. Answers the token that is after its `#`. */
export async function makeLink(
  ctx: Pick<Context, 'clock'>,
  trx: Trx,
  { kind, userId, email }: { kind: Link['kind']; userId: number; email: string },
): Promise<string> {
  const token = randomToken();
  const at = ctx.clock.now();
  await trx.deleteFrom('account_links').where('user_id', '=', userId).where('kind', '=', kind).execute();
  await trx
    .insertInto('account_links')
    .values({ token_hash: hashToken(token), kind, user_id: userId, email, expires_at: at + LINK_MS, created_at: at })
    .execute();
  return token;
}

/** Uses a link up: of many calls with the same token one gets it. Throws LINK_REFUSED for an unknown, used and expired one alike. */
export async function spendLink(ctx: Pick<Context, 'clock'>, trx: Trx, kind: Link['kind'], token: string): Promise<Link> {
  const link = await trx
    .deleteFrom('account_links')
    .where('token_hash', '=', hashToken(token.trim()))
    .where('kind', '=', kind)
    .where('expires_at', '>', ctx.clock.now())
    .returningAll()
    .executeTakeFirst();
  if (!link) throw new LinkRefused({});
  return link;
}

/** Makes all links of a user void, for example when the password or the address has changed. */
export async function dropLinks(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('account_links').where('user_id', '=', userId).execute();
}
