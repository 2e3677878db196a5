import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { keptNumber, keptNumbers, keptText, type Change } from '../../kernel/undo.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { presentTag } from './present.ts';
import { findTaggedDevices } from './repo.ts';

type Action = Row<'tag_actions'>;

/** The actions that a tag had when it was removed; none where the history kept none. */
function keptActions(before: Change['before']): Action[] {
  const kept = before['actions'];
  // Rows of the table, as the removal wrote them down.
  return Array.isArray(kept) ? (kept as Action[]) : [];
}

/** Whose account is gone is named still; what they had set up does not run. */
async function restoreActions(trx: Trx, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    const owner = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', action.created_by ?? 0)
      .executeTakeFirst();
    await trx
      .insertInto('tag_actions')
      .values({ ...action, created_by: owner?.id ?? null })
      .execute();
  }
}

/** The rule that the tag had, set up by who had set it up. */
async function restoreRule(trx: Trx, kept: unknown, now: number): Promise<void> {
  if (typeof kept !== 'object' || kept === null) return;
  // A row of the table, as the removal wrote it down.
  const rule = kept as Row<'tag_rules'>;
  const owner = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', rule.created_by ?? 0)
    .executeTakeFirst();
  await trx
    .insertInto('tag_rules')
    .values({ ...rule, created_by: owner?.id ?? null, next_at: now })
    .execute();
}

/**
 * Brings a removed tag back under its number, on those of its devices that are still in its company or below. Its actions come back as
 * those who set them up had them: with their rights, asked for again when they run. Throws NOT_FOUND when its company is out of sight, NAME_TAKEN.
 */
export async function restoreTag(ctx: Context, { actor, origin }: Caller, { entityId: id, before }: Change): Promise<void> {
  const at = ctx.clock.now();
  const name = keptText(before, 'name');
  await withUniqueName({ name, source: 'name' }, () =>
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
      await restoreActions(trx, keptActions(before));
      await restoreRule(trx, before['rule'], at);
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
