import type { EvaluatedTarget } from './evaluate.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { JobPreview, SkipReason, WindowRule } from './types.ts';

const SAMPLE_SIZE = 5;
const MANY_DEVICES = 50; // docs/checks.md B2

const MAX_GROUPS = 50;
const MEGABYTE = 1024 * 1024;

type Evaluated = Pick<EvaluatedTarget, 'id' | 'name' | 'companyId' | 'reason' | 'outlook' | 'opensAt'>;

function warningsFor(willRun: Evaluated[], total: number, seen: number | null): JobPreview['warnings'] {
  const warnings: JobPreview['warnings'] = [];
  const companies = new Set(willRun.map((target) => target.companyId)).size;
  if (willRun.length > MANY_DEVICES) warnings.push({ code: 'MANY_DEVICES', params: { count: willRun.length } });
  if (companies > 1) warnings.push({ code: 'SEVERAL_COMPANIES', params: { count: companies } });
  if (seen !== null && seen !== total) warnings.push({ code: 'COUNT_CHANGED', params: { count: total, seen } });
  const mobile = willRun.flatMap(({ outlook }) => (outlook && outlook.mobileBytes > 0 ? [outlook.mobileBytes] : []));
  const bytes = mobile.reduce((sum, size) => sum + size, 0);
  if (bytes > 0) warnings.push({ code: 'MOBILE_DATA', params: { count: mobile.length, megabytes: Math.ceil(bytes / MEGABYTE) } });
  return warnings;
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
  };
}
