import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { wireTime } from '../../kernel/clock.ts';
import { monthUse, type MonthUse } from '../devices/month-use.ts';
import type { PlannedTarget } from './evaluate.ts';
import type { JobPreview, Outlook, SkipReason, WindowRule } from './types.ts';

const SAMPLE_SIZE = 5;
const MANY_DEVICES = 50; // docs/checks.md B2

const MAX_GROUPS = 50;
const MEGABYTE = 1024 * 1024;

type Evaluated = Pick<PlannedTarget, 'id' | 'name' | 'companyId' | 'reason' | 'outlook' | 'opensAt'>;

/** What goes over mobile connections: in all, and by SIM slot where there are several. */
function mobileWarnings(willRun: Evaluated[]): JobPreview['warnings'] {
  const mobile = willRun.flatMap(({ outlook }) => (outlook && outlook.mobileBytes > 0 ? [outlook] : []));
  if (mobile.length === 0) return [];
  const sum = (part: readonly Outlook[]) => ({
    count: part.length,
    megabytes: Math.ceil(part.reduce((bytes, { mobileBytes }) => bytes + mobileBytes, 0) / MEGABYTE),
  });
  const slots = [...Map.groupBy(mobile, ({ simSlot }) => simSlot ?? 0)].toSorted(([a], [b]) => a - b);
  return [
    { code: 'MOBILE_DATA', params: sum(mobile) },
    ...(slots.length < 2
      ? []
      : slots.map(([slot, part]) => ({ code: slot === 0 ? 'MOBILE_DATA_NO_SIM' : 'MOBILE_DATA_SIM', params: { slot, ...sum(part) } }))),
  ];
}

function warningsFor(willRun: Evaluated[], total: number, seen: number | null): JobPreview['warnings'] {
  const warnings: JobPreview['warnings'] = [];
  const companies = new Set(willRun.map((target) => target.companyId)).size;
  if (willRun.length > MANY_DEVICES) warnings.push({ code: 'MANY_DEVICES', params: { count: willRun.length } });
  if (companies > 1) warnings.push({ code: 'SEVERAL_COMPANIES', params: { count: companies } });
  if (seen !== null && seen !== total) warnings.push({ code: 'COUNT_CHANGED', params: { count: total, seen } });
  return [...warnings, ...mobileWarnings(willRun)];
}

function groupsOf(willRun: Evaluated[]): JobPreview['groups'] {
  const groups = new Map<string, JobPreview['groups'][number]>();
  for (const { outlook } of willRun) {
    if (!outlook) continue;
    const key = JSON.stringify(outlook.group);
    groups.set(key, { group: outlook.group, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MAX_GROUPS);
}

/** Devices that would wait for their maintenance window, or are left out because it is not open. */
function windowsOf(targets: Evaluated[], rule: WindowRule | null): JobPreview['windows'] {
  if (rule === null) return null;
  const opens = targets.flatMap(({ reason, opensAt }) =>
    opensAt !== undefined && (reason === undefined || reason === 'OUTSIDE_WINDOW') ? [opensAt] : [],
  );
  if (opens.length === 0) return null;
  const first = opens.reduce((a, b) => Math.min(a, b));
  return { outside: opens.length, opens_at: wireTime(first), rule };
}

/** What a job would do, in numbers: how many devices it runs on, and why not on the rest, with a few of each by name. */
export function summarise(targets: Evaluated[], seen: number | null, rule: WindowRule | null = null): JobPreview {
  const skipped = new Map<SkipReason, { count: number; sample: { id: number; name: string }[] }>();
  const willRun: Evaluated[] = [];
  for (const target of targets) {
    if (target.reason === undefined) {
      willRun.push(target);
      continue;
    }
    const group = skipped.get(target.reason) ?? { count: 0, sample: [] };
    group.count += 1;
    if (group.sample.length < SAMPLE_SIZE) group.sample.push({ id: target.id, name: target.name });
    skipped.set(target.reason, group);
  }
  return {
    total: targets.length,
    seen,
    will_run: willRun.length,
    skipped: [...skipped].map(([reason, group]) => ({ reason, ...group })),
    warnings: warningsFor(willRun, targets.length, seen),
    groups: groupsOf(willRun),
    windows: windowsOf(targets, rule),
    asks_reason: false,
  };
}

/** Devices that would pass the data limit of their month with what the job moves over their mobile connection. */
export async function limitWarnings(
  ctx: Pick<Context, 'database' | 'reads' | 'clock'>,
  targets: readonly Evaluated[],
): Promise<JobPreview['warnings']> {
  const bytes = new Map(
    targets.flatMap(({ id, reason, outlook }) =>
      reason === undefined && outlook && outlook.mobileBytes > 0 ? [[id, outlook.mobileBytes]] : [],
    ),
  );
  if (bytes.size === 0) return [];
  const read = sql<MonthUse>`select device_id, most, used from ${monthUse(ctx.clock.now())} as months`;
  const limits = await ctx.database.longReads.rows(read.compile(ctx.reads));
  const count = limits.filter(({ device_id, most, used }) => {
    const more = bytes.get(device_id);
    return more !== undefined && Number(used) + more > Number(most);
  }).length;
  return count === 0 ? [] : [{ code: 'OVER_DATA_LIMIT', params: { count } }];
}
