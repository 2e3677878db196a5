import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { pathEnd } from '../../kernel/tenancy.ts';

/**
 * Notifies the open consoles below a top-level company (by its path), and the person who changed its theme, of the new theme. With
 * `hasOtherParts` rights went or came with the parts that are shown: what is followed live has to be followed again.
 */
export async function publishTheme(
  ctx: Context,
  trx: Trx,
  of: { path: string; changedBy: number | null; hasOtherParts: boolean },
): Promise<void> {
  const people = await trx
    .selectFrom('sessions')
    .innerJoin('companies', 'companies.id', 'sessions.company_id')
    .select((eb) => eb.fn.coalesce('sessions.on_behalf_of', 'sessions.user_id').as('id'))
    .distinct()
    .where('companies.path', '>=', of.path)
    .where('companies.path', '<', pathEnd(of.path))
    .where('sessions.access_expires_at', '>', ctx.clock.now())
    .execute();
  const below = people.map(({ id }) => id);
  afterCommit(trx, () => {
    for (const id of new Set(of.changedBy === null ? below : [...below, of.changedBy])) {
      ctx.live.publish(`private-notifications.${id}`, 'ThemeChanged', { user_id: id });
    }
    if (!of.hasOtherParts) return;
    for (const id of below) ctx.live.publish(`private-notifications.${id}`, 'PermissionsChanged', { user_id: id });
    ctx.live.closeSockets({ companyPath: of.path });
  });
}
