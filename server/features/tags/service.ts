import type { FormData, Tag } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { findTagActions } from '../../domain/tags/tag-actions.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { insertAction, prepareAction } from './actions.ts';
import { presentTag, type TagRow } from './present.ts';
import { findCodesWithTag, findTaggedDevices, findTags } from './repo.ts';

async function requireTag(db: Db, actor: Actor, id: number): Promise<TagRow> {
  const [row] = await findTags(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

function historyOf({ company_name: _name, devices_count: _count, ...row }: TagRow) {
  return row;
}

/** One tag as the actor sees it. Throws NOT_FOUND. */
export async function getTag(ctx: Context, actor: Actor, id: number): Promise<Tag> {
  return presentTag(await requireTag(ctx.reads, actor, id), await findTagActions(ctx.reads, actor, [id]));
}

/** What loses something when the tag goes, as far as the actor sees it. Throws NOT_FOUND. */
export async function findUsage(ctx: Context, actor: Actor, id: number) {
  const tag = await requireTag(ctx.reads, actor, id);
  const codes = await findCodesWithTag(ctx.reads, actor, id, ctx.clock.now());
  const actions = await ctx.reads.selectFrom('tag_actions').select('id').where('tag_id', '=', id).execute();
  return { devices_count: tag.devices_count, codes, actions_count: actions.length };
}

/** Throws INVALID_FIELD at a missing command. */
function assertCommands(actions: NonNullable<FormData['tags/new']['actions']>): void {
  const faults = actions.flatMap(({ action, command }, index) =>
    action === 'run' && command === undefined
      ? [{ source: `actions.${index}.command`, message: 'Enter a command.', params: { key: 'validation.required' } }]
      : [],
  );
  if (faults.length > 0) throw new InvalidFields(faults);
}

/**
 * Adds a tag to a company, together with what it does to devices that get it. Throws NOT_FOUND at `company_id`, NAME_TAKEN at `name`, FORBIDDEN for
 * actions that the caller may not do themselves.
 */
export async function createTag(ctx: Context, { actor, origin }: Caller, input: FormData['tags/new']): Promise<number> {
  const at = ctx.clock.now();
  const actions = input.actions ?? [];
  assertCommands(actions);
  const prepared = await Promise.all(actions.map((action, index) => prepareAction(ctx, actor, action, `actions.${index}.`)));
  return withUniqueName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, input.company_id, 'company_id');
      const tag = await trx
        .insertInto('tags')
        .values({
          company_id: company.id,
          name: input.name,
          description: input.description ?? '',
          color: input.color?.toLowerCase() ?? '',
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await writeAudit(trx, { actor, origin, at }, [
        {
          action: 'tags.new',
          entity: 'tag',
          entityId: tag.id,
          entityName: tag.name,
          companyId: company.id,
          before: null,
          after: { ...tag },
        },
      ]);
      for (const action of prepared) await insertAction(trx, { actor, origin, at }, tag, action);
      const payload = presentTag({ ...tag, company_name: company.name, devices_count: 0 });
      afterCommit(trx, () => ctx.live.publishBelow(company.path, 'tags', 'TagAdded', payload));
      return tag.id;
    }),
  );
}

/** Changes what is given of a tag. Throws NOT_FOUND, or NAME_TAKEN at `name`. */
export async function editTag(ctx: Context, { actor, origin }: Caller, id: number, input: Partial<FormData['tags/edit']>): Promise<void> {
  const at = ctx.clock.now();
  await withUniqueName({ name: input.name ?? '', source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const row = await requireTag(trx, actor, id);
      const before = historyOf(row);
      const after = {
        ...before,
        name: input.name ?? before.name,
        description: input.description ?? before.description,
        color: input.color === undefined ? before.color : (input.color?.toLowerCase() ?? ''),
        updated_at: at,
      };
      await trx
        .updateTable('tags')
        .set({ name: after.name, description: after.description, color: after.color, updated_at: at })
        .where('id', '=', id)
        .execute();
      await writeAudit(trx, { actor, origin, at }, [
        { action: 'tags.edit', entity: 'tag', entityId: id, entityName: after.name, companyId: row.company_id, before, after },
      ]);
      const { path } = await requireCompany(trx, actor, row.company_id);
      const { name, description, color } = presentTag({ ...row, ...after });
      afterCommit(trx, () => {
        ctx.live.publishBelow(path, 'tags', 'TagChanged', { id, company_id: row.company_id, name, description, color });
        if (after.name !== before.name || after.color !== before.color)
          ctx.live.publishBelow(path, 'devices', 'DeviceTagsChanged', { tag_id: id });
      });
    }),
  );
}

/** Removes a tag, also from the devices that carry it. Throws NOT_FOUND. */
export async function removeTag(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireTag(trx, actor, id);
    const { path } = await requireCompany(trx, actor, row.company_id);
    const actions = await trx.selectFrom('tag_actions').selectAll().where('tag_id', '=', id).orderBy('id').execute();
    const rule = (await trx.selectFrom('tag_rules').selectAll().where('tag_id', '=', id).executeTakeFirst()) ?? null;
    const before = {
      ...historyOf(row),
      device_id: await findTaggedDevices(trx, id),
      actions: actions.map((action) => ({ ...action })),
      rule,
    };
    await trx.deleteFrom('tags').where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [
      { action: 'tags.remove', entity: 'tag', entityId: id, entityName: row.name, companyId: row.company_id, before, after: null },
    ]);
    afterCommit(trx, () => {
      ctx.live.publishBelow(path, 'tags', 'TagRemoved', { id, company_id: row.company_id });
      ctx.live.publishBelow(path, 'devices', 'DeviceTagsChanged', { tag_id: id });
    });
  });
}
