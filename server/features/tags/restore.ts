import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { keptNumber, keptNumbers, keptText, type Change } from '../../kernel/undo.ts';
import { withFreeName } from '../../kernel/unless-taken.ts';
import { presentTag } from './present.ts';
import { findTaggedDevices } from './repo.ts';

/**
 * Brings a removed tag back under its number, on those of its devices that are still in its company or below. Actions that it had are not set up
 * again: they run with the rights of who sets them up. Throws NOT_FOUND when its company is out of sight, NAME_TAKEN.
 */
export async function restoreTag(ctx: Context, { actor, origin }: Caller, { entityId: id, before }: Change): Promise<void> {
  const at = ctx.clock.now();
  const name = keptText(before, 'name');
  await withFreeName({ name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, keptNumber(before, 'company_id'));
      const tag = await trx
        .insertInto('tags')
        .values({
          id,
          company_id: company.id,
          name,
          description: keptText(before, 'description'),
          color: keptText(before, 'color'),
          created_at: keptNumber(before, 'created_at'),
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('device_tags')
        .columns(['device_id', 'tag_id'])
        .expression(
          trx
            .selectFrom('devices')
            .select(['devices.id', sql<number>`${sql.lit(id)}`.as('tag_id')])
            .where('devices.id', 'in', ctx.database.tools.idList(keptNumbers(before, 'device_id')))
            .where(isWithin(sql.ref('devices.company_id'), [company.id])),
        )
        .execute();
      const devices = await findTaggedDevices(trx, id);
      const entry = { action: 'tags.restore', entity: 'tag', entityId: id, entityName: name, companyId: company.id };
      await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { ...tag, device_id: devices } }]);
      const payload = presentTag({ ...tag, company_name: company.name, devices_count: devices.length });
      afterCommit(trx, () => {
        ctx.live.publishBelow(company.path, 'tags', 'TagAdded', payload);
        ctx.live.publishBelow(company.path, 'devices', 'DeviceTagsChanged', { tag_id: id });
      });
    }),
  );
}
