import { sql } from 'kysely';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { actorOfPlan, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { MINUTE, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError, NotFound } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { parseListQuery } from '../../kernel/list-query.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { deviceRules } from './columns.ts';
import { matchDevices, sortedIds } from './match.ts';
import { changeTags } from './tag-changes.ts';

type Rule = FormData['tags/rule'];
type RuleRow = Row<'tag_rules'>;

const PERIOD = 5 * MINUTE;
const RULES_AT_ONCE = 20;
/** More devices than this change their tag in the next pass. */
const MOST_CHANGES = 5000;
const ORIGIN = { ip: '', requestId: 'tag-rule', userAgent: '' };

const readRule = ({ query }: Pick<RuleRow, 'query'>): Rule => JSON.parse(query) as Rule;

async function requireTag(db: Db, actor: Actor, id: number) {
  const tag = await db.selectFrom('tags').selectAll().where('id', '=', id).where(isVisible(actor, 'tags')).executeTakeFirst();
  if (!tag) throw new NotFound({});
  return tag;
}

const findRule = (db: Db, tagId: number) => db.selectFrom('tag_rules').selectAll().where('tag_id', '=', tagId).executeTakeFirst();

/** The devices that the rule means: of the tag's company and below, as the person who set the rule sees them. Throws as a list call does. */
async function devicesOfRule(ctx: Context, actor: Actor, rule: Rule, companyId: number): Promise<number[]> {
  const raw = Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, String(value)]));
  const match = await matchDevices(ctx, actor, parseListQuery(deviceRules, actor, raw));
  const conditions = [...match.conditions, isWithin(sql.ref('devices.company_id'), [companyId])];
  const query = sortedIds({ ...match, conditions }, [{ key: 'id', isDescending: false }]);
  return ctx.database.longReads.numbers(query.compile(ctx.reads));
}

/** Puts the tag on the devices that match and takes it off the others. Returns how many changed. */
async function applyRule(ctx: Context, actor: Actor, rule: RuleRow): Promise<number> {
  const tag = await requireTag(ctx.reads, actor, rule.tag_id);
  const wanted = new Set(await devicesOfRule(ctx, actor, readRule(rule), tag.company_id));
  const rows = await ctx.db
    .selectFrom('device_tags')
    .innerJoin('devices', 'devices.id', 'device_tags.device_id')
    .select('device_tags.device_id')
    .where('device_tags.tag_id', '=', tag.id)
    .where(isVisible(actor, 'devices'))
    .execute();
  const present = new Set(rows.map(({ device_id }) => device_id));
  const tagIds = [tag.id];
  const request = (deviceIds: number[]) => [{ deviceIds: deviceIds.slice(0, MOST_CHANGES), tagIds, source: { devices: '', tags: '' } }];
  const caller = { actor, origin: ORIGIN, isRule: true };
  const added = await changeTags(ctx, caller, 'assign', request([...wanted].filter((id) => !present.has(id))));
  return added + (await changeTags(ctx, caller, 'unassign', request([...present].filter((id) => !wanted.has(id)))));
}

/** Throws NOT_FOUND at `company_id` or `site_id` of a rule for what the actor does not see: such a rule would take the tag off every device. */
async function assertSeen(db: Db, actor: Actor, { company_id, site_id }: Rule): Promise<void> {
  if (company_id !== undefined) await requireCompany(db, actor, company_id, 'company_id');
  if (site_id === undefined) return;
  const site = await db.selectFrom('sites').select('id').where('id', '=', site_id).where(isVisible(actor, 'sites')).executeTakeFirst();
  if (!site) throw new NotFound({}, { source: 'site_id' });
}

/** Sets the rule of a tag, as whom the devices are looked for from now on, and applies it. Throws NOT_FOUND, and at a filter that the actor may not use. */
async function setTagRule(ctx: Context, { actor, origin }: Caller, tagId: number, rule: Rule): Promise<number> {
  assertInPerson(actor);
  const at = ctx.clock.now();
  const tag = await requireTag(ctx.reads, actor, tagId);
  await assertSeen(ctx.reads, actor, rule);
  await devicesOfRule(ctx, actor, rule, tag.company_id);
  const row: RuleRow = {
    tag_id: tagId,
    query: JSON.stringify(rule),
    created_by: actor.userId,
    actor_company_id: actor.companyId,
    user_name: actor.name,
    checked_at: at,
    next_at: at + PERIOD,
  };
  await inTransaction(ctx.db, async (trx) => {
    const before = await findRule(trx, tagId);
    await trx.deleteFrom('tag_rules').where('tag_id', '=', tagId).execute();
    await trx.insertInto('tag_rules').values(row).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'tags.rule',
        entity: 'tag',
        entityId: tagId,
        entityName: tag.name,
        companyId: tag.company_id,
        before: { rule: before ? before.query : null },
        after: { rule: row.query },
      },
    ]);
  });
  return applyRule(ctx, actor, row);
}

async function removeTagRule(ctx: Context, { actor, origin }: Caller, tagId: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const tag = await requireTag(trx, actor, tagId);
    const before = await findRule(trx, tagId);
    if (!before) throw new NotFound({});
    await trx.deleteFrom('tag_rules').where('tag_id', '=', tagId).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'tags.remove-rule',
        entity: 'tag',
        entityId: tagId,
        entityName: tag.name,
        companyId: tag.company_id,
        before: { rule: before.query },
        after: { rule: null },
      },
    ]);
  });
}

/** Brings the tags whose time has come in step with their rules. A rule whose person is gone, or may not change tags any more, leaves its tag as it is. */
export async function runDueTagRules(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('tag_rules')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(RULES_AT_ONCE)
    .execute();
  for (const rule of due) {
    const actor = await actorOfPlan(ctx, rule);
    const isAllowed = actor !== undefined && can(actor, 'update_tags') && can(actor, 'view_devices');
    const isDone =
      isAllowed &&
      (await applyRule(ctx, actor, rule).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          ctx.log.warn({ tag: rule.tag_id, code: error.items[0]?.code }, 'a tag could not be brought in step with its rule');
          return false;
        },
      ));
    await ctx.db
      .updateTable('tag_rules')
      .set({ next_at: now + PERIOD, ...(isDone ? { checked_at: now } : {}) })
      .where('tag_id', '=', rule.tag_id)
      .where('next_at', '=', rule.next_at)
      .execute();
  }
}

/** Registers the rules of tags, and keeps tags in step with them from the start to the stop of the server. */
export function registerTagRules(app: App): void {
  const { ctx, fastify } = app;
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(MINUTE, () => (running = runDueTagRules(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
  route(app, {
    method: 'GET',
    path: '/tags/:id/rule',
    access: { permission: 'view_tags' },
    summary: 'The rule that says which devices carry a tag; empty when they are chosen by hand.',
    tag: 'tags',
    params: idParams,
    async handler({ ctx: context, actor, params }) {
      await requireTag(context.reads, actor, params.id);
      const rule = await findRule(context.reads, params.id);
      if (!rule) return ok({});
      return ok({ ...readRule(rule), user_name: rule.user_name, checked_at: wireTime(rule.checked_at) });
    },
  });
  formRoute(app, 'tags/rule', async ({ ctx: context, actor, origin, params, body }) =>
    ok({ changed: await setTagRule(context, { actor, origin }, params.id, body) }),
  );
  formRoute(app, 'tags/remove-rule', async ({ ctx: context, actor, origin, params }) => {
    await removeTagRule(context, { actor, origin }, params.id);
    return ok();
  });
}
