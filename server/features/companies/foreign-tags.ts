import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';

interface Lost {
  /** The companies that have another place now. */
  companyIds: readonly number[];
  /** Those that are above them no more. */
  lost: readonly number[];
}

async function dropFromDevices(
  ctx: Context,
  trx: Trx,
  { actor, origin }: Caller,
  companyIds: readonly number[],
  lostTags: ReadonlySet<number>,
) {
  const pairs = await trx
    .selectFrom('device_tags')
    .innerJoin('devices', 'devices.id', 'device_tags.device_id')
    .select(['devices.id', 'devices.name', 'devices.company_id', 'device_tags.tag_id'])
    .where('devices.company_id', 'in', companyIds)
    .orderBy('devices.id')
    .orderBy('device_tags.tag_id')
    .execute();
  const entries = [...Map.groupBy(pairs, (pair) => pair.id).values()].flatMap((group) => {
    const [device] = group;
    const tagIds = group.map((pair) => pair.tag_id);
    const kept = tagIds.filter((id) => !lostTags.has(id));
    if (!device || kept.length === tagIds.length) return [];
    return {
      action: 'devices.unassign-tags',
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: { tag_id: tagIds },
      after: { tag_id: kept },
    };
  });
  const changed = ctx.database.tools.idList(entries.map((entry) => entry.entityId));
  await trx
    .deleteFrom('device_tags')
    .where('tag_id', 'in', ctx.database.tools.idList([...lostTags]))
    .where('device_id', 'in', changed)
    .execute();
  await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, entries);
}

/** Takes the tags of companies that are above no more off devices and enrolment codes; devices that lose one have a row in the history. */
export async function removeForeignTags(ctx: Context, trx: Trx, caller: Caller, { companyIds, lost }: Lost): Promise<void> {
  if (lost.length === 0) return;
  const tags = await trx.selectFrom('tags').select('id').where('company_id', 'in', lost).execute();
  const lostTags = new Set(tags.map((tag) => tag.id));
  if (lostTags.size === 0) return;
  await dropFromDevices(ctx, trx, caller, companyIds, lostTags);
  const codes = await trx.selectFrom('enrolment_codes').select(['id', 'tag_ids']).where('company_id', 'in', companyIds).execute();
  for (const code of codes) {
    const tagIds: unknown = JSON.parse(code.tag_ids);
    const kept = Array.isArray(tagIds) ? tagIds.filter((id: unknown) => typeof id === 'number' && !lostTags.has(id)) : [];
    await trx
      .updateTable('enrolment_codes')
      .set({ tag_ids: JSON.stringify(kept) })
      .where('id', '=', code.id)
      .execute();
  }
}
