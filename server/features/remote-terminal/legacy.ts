import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** Lets an entry use algorithms that are broken by now, or no longer. Throws NOT_FOUND. */
export async function setLegacy(ctx: Context, { actor, origin }: Caller, entryId: number, isAllowed: boolean): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const entry = await trx
      .selectFrom('remote_entries')
      .innerJoin('devices', 'devices.id', 'remote_entries.device_id')
      .leftJoin('remote_legacy_entries', 'remote_legacy_entries.entry_id', 'remote_entries.id')
      .select([
        'remote_entries.name',
        'devices.id',
        'devices.name as device_name',
        'devices.company_id',
        'remote_legacy_entries.entry_id as legacy',
      ])
      .where('remote_entries.id', '=', entryId)
      .where(isVisible(actor, 'devices'))
      .executeTakeFirst();
    if (!entry) throw new NotFound({});
    const wasAllowed = entry.legacy !== null;
    if (wasAllowed === isAllowed) return;
    if (isAllowed) await trx.insertInto('remote_legacy_entries').values({ entry_id: entryId, created_at: at }).execute();
    else await trx.deleteFrom('remote_legacy_entries').where('entry_id', '=', entryId).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'devices.outdated-algorithms',
        entity: 'device',
        entityId: entry.id,
        entityName: entry.device_name,
        companyId: entry.company_id,
        before: { entry: entry.name, outdated_algorithms: wasAllowed },
        after: { entry: entry.name, outdated_algorithms: isAllowed },
      },
    ]);
  });
}
