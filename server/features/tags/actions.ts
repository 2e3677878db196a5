import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { actionNameOf, KIND_OF, sourceOf } from '../../domain/tags/action-kinds.ts';
import { findTags } from './repo.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;

async function requireTag(db: Db, actor: Actor, id: number) {
  const [tag] = await findTags(db, actor, [id]);
  if (!tag) throw new NotFound({});
  return tag;
}

function presentAction(row: Row<'tag_actions'>) {
  const { command, timeout } = JSON.parse(row.input) as { command?: string; timeout?: number };
  const { id, tag_id, user_name } = row;
  const shell = command === undefined ? {} : { command, timeout };
  return { id, tag_id, action: actionNameOf(row.kind), ...shell, ...sourceOf(row.input), user_name, created_at: wireTime(row.created_at) };
}

/** What a tag does to the devices that get it, in order. Throws NOT_FOUND. */
export async function listActions(ctx: Context, actor: Actor, tagId: number) {
  await requireTag(ctx.reads, actor, tagId);
  const rows = await ctx.reads.selectFrom('tag_actions').selectAll().where('tag_id', '=', tagId).orderBy('id').execute();
  return rows.map(presentAction);
}

/** What an action is asked for with: a file or a list of tasks by `source_id`, as programs name it, or by the field of the form for it. */
type NewAction = Pick<FormData['tags/new-action'], 'action' | 'command' | 'timeout'> & {
  source_id?: number | undefined;
  firmware_id?: number | undefined;
  configuration_id?: number | undefined;
  group_id?: number | undefined;
  template_id?: number | undefined;
};

/** An action that may be added: the job that it will be. */
export interface PreparedAction {
  kind: string;
  input: unknown;
}

const sourceFields = {
  firmware_upload: 'firmware_id',
  config_upload: 'configuration_id',
  execute_tasks_group: 'group_id',
  apply_template: 'template_id',
} as const;

async function inputOf(ctx: Context, actor: Actor, body: NewAction, place: string): Promise<unknown> {
  const { action } = body;
  if (action === 'run') return { command: body.command ?? '', timeout: body.timeout ?? DEFAULT_TIMEOUT_SECONDS };
  if (action === 'reboot' || action === 'refresh') return {};
  const field = body.source_id === undefined ? sourceFields[action] : 'source_id';
  const id = body[field];
  const source = `${place}${body.source_id === undefined && place !== '' ? 'source_id' : field}`;
  if (id === undefined) throw new InvalidFields([{ source, message: 'Choose a record.', params: { key: 'validation.required' } }]);
  return ctx.jobs.inputFrom(actor, KIND_OF[action], { id, source });
}

/**
 * The job of an action. Throws FORBIDDEN for an action that the actor may not do themselves, or not set up for later; NOT_FOUND and INVALID_FIELD at
 * its file, whose path begins with `place`.
 */
export async function prepareAction(ctx: Context, actor: Actor, body: NewAction, place = ''): Promise<PreparedAction> {
  requirePermission(actor, 'update_tags');
  // Nothing permanent is set up during impersonation: it would outlive the consent.
  if (actor.onBehalfOf !== null) throw new Forbidden({});
  // A job over no devices does nothing, but asks for the same right.
  const prepared = { kind: KIND_OF[body.action], input: await inputOf(ctx, actor, body, place) };
  await ctx.jobs.preview(actor, { ...prepared, target: { device_id: [] } });
  return prepared;
}

/** Writes an action of a tag that `prepareAction` has let through; it will run with the rights of who adds it. Answers its id. */
export async function insertAction(
  trx: Trx,
  { actor, origin, at }: Caller & { at: number },
  tag: Pick<Row<'tags'>, 'id' | 'name' | 'company_id'>,
  { kind, input }: PreparedAction,
): Promise<number> {
  const row = await trx
    .insertInto('tag_actions')
    .values({
      tag_id: tag.id,
      kind,
      input: JSON.stringify(input),
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
  const prepared = await prepareAction(ctx, caller.actor, body);
  return inTransaction(ctx.db, (trx) => insertAction(trx, { ...caller, at: ctx.clock.now() }, tag, prepared));
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
