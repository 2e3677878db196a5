import { resources } from '../../../resources.config.ts';
import type { ResourceEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Context } from '../../context.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';
import type { Target } from './insert-targets.ts';

const entries: readonly ResourceEntry[] = resources;
const riskyKinds = new Set<string>();
const harmlessForms = new Set<string>();
for (const { actions = [] } of entries)
  for (const action of actions) {
    if (action.kind !== 'job') continue;
    if (action.risk === 'low' && action.form) harmlessForms.add(action.form);
    if (action.risk !== 'low' && action.job !== 'form') riskyKinds.add(action.job);
  }

/** Whether a job may interrupt or change devices. Forms of others run commands of their own, so they count as such. */
function isRisky(kind: string, input: unknown): boolean {
  if (kind !== 'form') return riskyKinds.has(kind);
  return !(typeof input === 'object' && input !== null && 'form' in input && harmlessForms.has(String(input.form)));
}

/** Whether a company of these devices, or one above it, wants to know why a risky job is started. */
export async function isReasonAsked(
  ctx: Pick<Context, 'db' | 'database'>,
  { kind, input }: { kind: string; input: unknown },
  targets: readonly Target[],
): Promise<boolean> {
  if (!isRisky(kind, input)) return false;
  const paths = new Set(targets.filter(({ reason }) => reason === undefined).map(({ companyPath }) => companyPath));
  const ids = new Set([...paths].flatMap(idsOnPath));
  if (ids.size === 0) return false;
  const asking = await ctx.db
    .selectFrom('companies')
    .select('id')
    .where('asks_reason', '=', 1)
    .where('id', 'in', ctx.database.tools.idList([...ids]))
    .executeTakeFirst();
  return asking !== undefined;
}

/** Throws INVALID_FIELD at `reason`. */
export function refuseWithoutReason(): never {
  throw new InvalidFields([
    { source: 'reason', message: 'Enter a reason: a company of these devices asks for one.', params: { key: 'jobs.reason.missing' } },
  ]);
}
