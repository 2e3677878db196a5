import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { findTags } from './repo.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;

async function requireTag(db: Db, actor: Actor, id: number) {
  const [tag] = await findTags(db, actor, [id]);
  if (!tag) throw new NotFound({});
  return tag;
}

interface ActionInput {
  command?: string;
  timeout?: number;
  group_id?: number;
  group_name?: string;
}

function presentAction(row: Row<'tag_actions'>) {
  const input = JSON.parse(row.input) as ActionInput;
  return { id: row.id, tag_id: row.tag_id, action: row.kind, ...input, user_name: row.user_name, created_at: wireTime(row.created_at) };
}

/** What a tag does to the devices that get it, in order. Throws NOT_FOUND. */
export async function listActions(ctx: Context, actor: Actor, tagId: number) {
  await requireTag(ctx.reads, actor, tagId);
  const rows = await ctx.reads.selectFrom('tag_actions').selectAll().where('tag_id', '=', tagId).orderBy('id').execute();
  return rows.map(presentAction);
}

type NewAction = FormData['tags/new-action'];

function inputOf(body: NewAction): ActionInput {
  if (body.action === 'run') return { command: body.command ?? '', timeout: body.timeout ?? DEFAULT_TIMEOUT_SECONDS };
  return body.action === 'execute_tasks_group' ? { group_id: body.group_id ?? 0 } : {};
}

/** The same with the name of the list of tasks, to show it. Throws NOT_FOUND at `group_id`. */
async function namedInput(db: Db, actor: Actor, body: NewAction): Promise<ActionInput> {
  const input = inputOf(body);
  if (input.group_id === undefined) return input;
  const group = await db
    .selectFrom('task_groups')
    .select('name')
    .where('id', '=', input.group_id)
    .where(isVisible(actor, 'task_groups'))
    .executeTakeFirst();
  if (!group) throw new NotFound({}, { source: 'group_id' });
  return { ...input, group_name: group.name };
}

/** Throws FORBIDDEN for an action that the actor may not do themselves, or not set up for later. */
export async function assertMayAdd(ctx: Context, actor: Actor, body: NewAction): Promise<void> {
  requirePermission(actor, 'update_tags');
  // What lasts is not set up on behalf of somebody: it would outlive their consent.
  if (actor.onBehalfOf !== null) throw new Forbidden({});
  // A job over no devices does nothing, but asks for the same right.
  await ctx.jobs.preview(actor, { kind: body.action, input: inputOf(body), target: { device_id: [] } });
}

/** Writes an action of a tag that `assertMayAdd` has let through; it will run with the rights of who adds it. Answers its id. */
export async function insertAction(
  trx: Trx,
  { actor, origin, at }: Caller & { at: number },
  tag: Pick<Row<'tags'>, 'id' | 'name' | 'company_id'>,
  body: NewAction,
): Promise<number> {
  const row = await trx
    .insertInto('tag_actions')
    .values({
      tag_id: tag.id,
      kind: body.action,
      input: JSON.stringify(await namedInput(trx, actor, body)),
      created_by: actor.userId,
      company_id: actor.companyId,
      user_name: actor.name,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const entry = { action: 'tags.new-action', entity: 'tag', entityId: tag.id, entityName: tag.name, companyId: tag.company_id };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { ...row } }]);
  return row.id;
}

/** Adds an action to a tag. Throws NOT_FOUND, FORBIDDEN for what that person may not do themselves. */
export async function addAction(ctx: Context, caller: Caller, tagId: number, body: NewAction): Promise<number> {
  const tag = await requireTag(ctx.reads, caller.actor, tagId);
  await assertMayAdd(ctx, caller.actor, body);
  return inTransaction(ctx.db, (trx) => insertAction(trx, { ...caller, at: ctx.clock.now() }, tag, body));
}

/** Takes an action off its tag, with what waits of it; what was started goes on. Throws NOT_FOUND. */
export async function removeAction(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await trx
      .selectFrom('tag_actions')
      .innerJoin('tags', 'tags.id', 'tag_actions.tag_id')
      .selectAll('tag_actions')
      .select(['tags.name', 'tags.company_id as tag_company_id'])
      .where('tag_actions.id', '=', id)
      .where(isVisible(actor, 'tags'))
      .executeTakeFirst();
    if (!row) throw new NotFound({});
    const { name, tag_company_id: companyId, ...before } = row;
    await trx.deleteFrom('tag_runs').where('action_id', '=', id).where('state', '=', 'waiting').execute();
    await trx.deleteFrom('tag_actions').where('id', '=', id).execute();
    const entry = { action: 'tags.remove-action', entity: 'tag', entityId: before.tag_id, entityName: name, companyId };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before, after: null }]);
  });
}
