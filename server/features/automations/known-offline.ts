import type { Trx } from '../../db/schema.ts';
import { branchAt } from './branches.ts';
import type { Pair } from './rule-states.ts';
import type { LiveAutomation } from './stored-rule.ts';

/** Whether a branch, or one that it is inside of, asks whether its device is offline. */
function asksForOffline({ rule: { branches } }: LiveAutomation, key: string): boolean {
  const parts = key.split('.');
  return parts.some((_part, index) =>
    (branchAt(branches, parts.slice(0, index + 1).join('.'))?.expression ?? []).some(
      ({ parameter, operator, value }) =>
        parameter === 'status' &&
        (operator === '!=' ? value === 'online' : value === 'offline' && (operator === '==' || operator === 'is')),
    ),
  );
}

/** Those of the devices of rules for missing data that are offline and have an open alert that says so. */
export async function findKnownOffline(trx: Trx, automations: readonly LiveAutomation[], pairs: readonly Pair[]): Promise<Set<number>> {
  const offline = pairs.filter(({ automation, news }) => automation.hasMissing && news.row.status === 0);
  if (offline.length === 0) return new Set();
  const alerts = await trx
    .selectFrom('alerts')
    .select(['device_id', 'automation_id', 'branch'])
    .where('device_id', 'in', [...new Set(offline.map(({ news }) => news.row.id))])
    .where('ended_at', 'is', null)
    .execute();
  const byId = new Map(automations.map((automation) => [automation.row.id, automation]));
  const known = alerts.filter(({ automation_id: id, branch }) => {
    const automation = id === null ? undefined : byId.get(id);
    return automation !== undefined && asksForOffline(automation, branch);
  });
  return new Set(known.map(({ device_id: id }) => id));
}
