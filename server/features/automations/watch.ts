import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { takeTurns } from '../../kernel/turns.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { readHearing } from '../../domain/devices/hearing.ts';
import { createBands } from '../../domain/devices/usual-band.ts';
import { endUnwatched } from './end-unwatched.ts';
import { readServerValues } from './server-values.ts';
import { closeAlerts, noteFlapping } from './raise-alerts.ts';
import { isMoment } from './branches.ts';
import { emptyState, evaluate } from './engine.ts';
import { findKnownOffline } from './known-offline.ts';
import { createLoader } from './load-automations.ts';
import { firedRows, heldRows } from './logs.ts';
import { findLoops } from './loops.ts';
import { momentsOf, valuesOf } from './parameters.ts';
import { keepStates, keyOf, NOTHING, readStates, ROWS_PER_STATEMENT, type Evaluation, type Pair, type StateRow } from './rule-states.ts';
import { bandValues, ownReadings, type LiveAutomation } from './stored-rule.ts';
import type { State } from './types.ts';

const LOOK_MS = 2 * SECOND;
const DUE_AT_ONCE = 200;
/** Devices get other tags and companies without a word to automations. */
const UNWATCHED_MS = MINUTE;

async function readTags(
  ctx: Context,
  trx: Trx,
  deviceIds: readonly number[],
  wanted: ReadonlySet<number>,
): Promise<Map<number, Set<number>>> {
  const tags = new Map<number, Set<number>>();
  if (wanted.size === 0) return tags;
  const rows = await trx
    .selectFrom('device_tags')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where('tag_id', 'in', [...wanted])
    .execute();
  for (const { device_id, tag_id } of rows) tags.set(device_id, (tags.get(device_id) ?? new Set()).add(tag_id));
  return tags;
}

function appliesTo({ row, tagIds }: LiveAutomation, news: DeviceNews, known: StateRow | undefined, tags: ReadonlySet<number>): boolean {
  if (known?.is_enabled === 0 || !news.row.company_path.startsWith(row.company_path)) return false;
  if (row.applies_to === 'device') return known !== undefined;
  return row.applies_to === 'company' || [...tagIds].some((id) => tags.has(id));
}

/** What is said of a device that an automation speaks of; `time` and `weekday` go with anything. */
function concerns({ parameters, hasMissing, serverKnown }: LiveAutomation, { changed, readings }: DeviceNews): boolean {
  if (hasMissing || serverKnown.length > 0) return true;
  for (const name of parameters) if (changed.has(name) || readings.has(name)) return true;
  return false;
}

/** The pairs of devices and automations that a report is about. */
async function pairReports(ctx: Context, trx: Trx, known: readonly LiveAutomation[], all: readonly DeviceNews[]): Promise<Pair[]> {
  const turns = takeTurns();
  const near: { news: DeviceNews; own: LiveAutomation[] }[] = [];
  for (const news of all) {
    if (turns.isOver()) await turns.next();
    const own = known.filter(({ row }) => news.row.company_path.startsWith(row.company_path));
    if (own.length > 0) near.push({ news, own });
  }
  if (near.length === 0) return [];
  const ids = near.map(({ news }) => news.row.id);
  const states = await readStates(ctx, trx, ids);
  const tags = await readTags(ctx, trx, ids, new Set(known.flatMap(({ tagIds }) => [...tagIds])));
  const pairs: Pair[] = [];
  for (const { news, own } of near) {
    if (turns.isOver()) await turns.next();
    const ownTags = tags.get(news.row.id) ?? new Set();
    for (const automation of own) {
      const state = states.get(keyOf(automation.row.id, news.row.id));
      if (!appliesTo(automation, news, state, ownTags)) continue;
      const holds = state !== undefined && state.state !== NOTHING;
      if (concerns(automation, news) || holds) pairs.push({ automation, news, known: state, isReport: true });
    }
  }
  return pairs;
}

/** The pairs whose time has come. */
async function pairDue(ctx: Context, trx: Trx, automations: readonly LiveAutomation[], due: readonly StateRow[]): Promise<Pair[]> {
  const known = new Map(automations.map((automation) => [automation.row.id, automation]));
  const ids = [...new Set(due.map(({ device_id }) => device_id))];
  const rows = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .execute();
  const devices = new Map(rows.map((row) => [row.id, row]));
  const states = await readStates(ctx, trx, ids);
  const tags = await readTags(ctx, trx, ids, new Set(automations.flatMap(({ tagIds }) => [...tagIds])));
  return due.flatMap((one): Pair[] => {
    const [automation, row] = [known.get(one.automation_id), devices.get(one.device_id)];
    const state = states.get(keyOf(one.automation_id, one.device_id));
    if (!automation || !row || !state || state.due_at === null || state.due_at > ctx.clock.now()) return [];
    const news: DeviceNews = { row, changed: new Set(), readings: new Map() };
    return appliesTo(automation, news, state, tags.get(row.id) ?? new Set()) ? [{ automation, news, known: state, isReport: false }] : [];
  });
}

/** What was due and is not evaluated any more is not due again. */
async function dropDue(trx: Trx, due: readonly StateRow[], evaluated: readonly Pair[]): Promise<void> {
  const done = new Set(evaluated.map(({ automation, news }) => keyOf(automation.row.id, news.row.id)));
  for (const one of due.filter(({ automation_id, device_id }) => !done.has(keyOf(automation_id, device_id))))
    await trx
      .updateTable('automation_devices')
      .set({ due_at: null })
      .where('automation_id', '=', one.automation_id)
      .where('device_id', '=', one.device_id)
      .execute();
}

/** Writes what fired into the log, whose actions `onFired` does after the commit. */
async function writeFired(
  ctx: Context,
  trx: Trx,
  { automations, pairs, onFired }: { automations: readonly LiveAutomation[]; pairs: readonly Evaluation[]; onFired(): void },
): Promise<void> {
  const at = ctx.clock.now();
  const firings = pairs.filter(({ outcome }) => outcome.fired.length > 0);
  const loops = firings.length > 0 ? await findLoops(ctx, trx, automations, firings) : undefined;
  const rows = pairs.flatMap((pair) => {
    const others = loops?.get(keyOf(pair.automation.row.id, pair.news.row.id));
    const held = heldRows(pair, pair.outcome.held, at, 'loop');
    return [...held, ...(others === undefined ? firedRows(pair, at) : heldRows(pair, pair.outcome.fired, at, `loop: ${others}`))];
  });
  if (rows.length === 0) return;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    if (start > 0) await nextTurn();
    await trx
      .insertInto('automation_logs')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
  const acting = rows.filter(({ status }) => status === 'pending');
  for (const [automation_id, fired] of Map.groupBy(acting, (row) => row.automation_id))
    await trx
      .updateTable('automations')
      .set((eb) => ({ triggered_count: eb('triggered_count', '+', fired.length) }))
      .where('id', '=', automation_id)
      .execute();
  afterCommit(trx, onFired);
}

/** What the metrics of these devices usually are, for rules that ask. */
async function readBands(trx: Trx, bands: ReturnType<typeof createBands>, pairs: readonly Pair[]) {
  const asking = pairs.filter(({ automation }) => automation.unusual.length > 0);
  const metrics = [...new Set(asking.flatMap(({ automation }) => automation.unusual))];
  return bands.read(trx, [...new Set(asking.map(({ news }) => news.row.id))], metrics);
}

/** Evaluates pairs; those of which nothing new comes are left out, which is most. */
async function evaluateAll(
  ctx: Context,
  trx: Trx,
  { bands, automations }: { bands: ReturnType<typeof createBands>; automations: readonly LiveAutomation[] },
  pairs: readonly Pair[],
): Promise<Evaluation[]> {
  const at = ctx.clock.now();
  const bandFor = await readBands(trx, bands, pairs);
  const isTimed = pairs.some(({ automation }) => automation.hasMissing || automation.rule.delaySeconds > 0);
  const { since } = isTimed ? await readHearing(trx, at) : { since: 0 };
  const knownOffline = await findKnownOffline(trx, automations, pairs);
  const counting = pairs.filter(({ automation }) => automation.serverKnown.length > 0);
  const used = await readServerValues(
    ctx,
    trx,
    counting.map(({ news }) => news.row.id),
    counting.flatMap(({ automation }) => automation.serverKnown),
  );
  const evaluated: Evaluation[] = [];
  const turns = takeTurns();
  for (const pair of pairs) {
    if (turns.isOver()) await turns.next();
    const { automation, news, known, isReport } = pair;
    const before = known === undefined ? emptyState() : (JSON.parse(known.state) as State);
    const { row, readings, readAt, changed } = news;
    const values = {
      ...valuesOf(automation.parameters, { row, at }),
      ...bandValues(automation.unusual, (metric) => bandFor(row.id, metric)),
      ...(automation.serverKnown.length > 0 ? used.get(row.id) : {}),
      ...momentsOf(news),
    };
    const report = {
      isReport,
      heardSince: since,
      ...(row.status === 1 && row.status_changed_at !== null ? { onlineSince: row.status_changed_at } : {}),
      isKnownOffline: knownOffline.has(row.id),
      readings: ownReadings(readings),
      readAt,
      fresh: new Set([...readings.keys(), ...changed]),
    };
    const outcome = evaluate(automation.rule, before, values, at, report);
    const state = JSON.stringify(outcome.state);
    const isNew = state !== (known?.state ?? NOTHING) || (known?.due_at ?? null) !== (outcome.dueAt ?? null);
    // Most reports say nothing new to most automations.
    if (isNew || outcome.fired.length + outcome.held.length + outcome.ended.length > 0) evaluated.push({ ...pair, outcome, state, isNew });
  }
  return evaluated;
}

/** Ends the alerts of branches that do not hold any more. */
function closeEnded(ctx: Context, trx: Trx, evaluated: readonly Evaluation[]): Promise<void> {
  return closeAlerts(
    ctx,
    trx,
    evaluated.flatMap(({ automation, news, outcome }) => {
      const isEvent = (branch: string): boolean => isMoment(automation.rule.branches, branch);
      // An event is over at once: its alert stays, and ends when the next one is raised.
      const over = [...outcome.ended.filter((branch) => !isEvent(branch)), ...outcome.fired.filter(isEvent)];
      return over.map((branch) => ({ automationId: automation.row.id, deviceId: news.row.id, branch }));
    }),
  );
}

/** Evaluates automations as devices report, and when time has passed; what has to be done is written in the same transaction and done after it. */
export function createWatch(ctx: Context, { onFired }: { onFired(): void }) {
  const stored = createLoader(ctx);
  const bands = createBands(ctx);
  let unwatchedAt = 0;

  async function apply(trx: Trx, automations: readonly LiveAutomation[], pairs: readonly Pair[]): Promise<void> {
    const evaluated = await evaluateAll(ctx, trx, { bands, automations }, pairs);
    await keepStates(ctx, trx, evaluated);
    await closeEnded(ctx, trx, evaluated);
    await noteFlapping(
      ctx,
      trx,
      evaluated.flatMap(({ automation, news, outcome }) =>
        [...outcome.crossings].map(([branch, count]) => ({ automationId: automation.row.id, deviceId: news.row.id, branch, count })),
      ),
    );
    await writeFired(ctx, trx, { automations, pairs: evaluated, onFired });
  }

  return {
    /** Takes changes of automations into account at once. */
    forget(): void {
      stored.forget();
      unwatchedAt = 0;
    },

    /** Devices have reported. A report that says nothing of what an automation depends on counts as one all the same once its condition holds. */
    async take(trx: Trx, all: readonly DeviceNews[]): Promise<void> {
      const automations = await stored.load(trx);
      if (automations.length === 0) return;
      const pairs = await pairReports(ctx, trx, automations, all);
      if (pairs.length > 0) await apply(trx, automations, pairs);
    },

    /** Evaluates what time alone brings about: delays that are over, quiet times that end. */
    async lookAgain(): Promise<void> {
      const automations = await stored.load(ctx.db);
      for (;;) {
        const due = await ctx.reads
          .selectFrom('automation_devices')
          .selectAll()
          .where('due_at', '<=', ctx.clock.now())
          .orderBy('due_at')
          .limit(DUE_AT_ONCE)
          .execute();
        if (due.length === 0) break;
        await inTransaction(ctx.db, async (trx) => {
          const pairs = await pairDue(ctx, trx, automations, due);
          await apply(trx, automations, pairs);
          await dropDue(trx, due, pairs);
        });
        if (due.length < DUE_AT_ONCE) break;
        await nextTurn();
      }
      if (ctx.clock.now() < unwatchedAt + UNWATCHED_MS) return;
      const count = await endUnwatched(ctx);
      unwatchedAt = count === 0 ? ctx.clock.now() : 0;
    },
    lookMs: LOOK_MS,
  };
}

export type Watch = ReturnType<typeof createWatch>;
