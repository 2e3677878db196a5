import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { HOUR } from '../../kernel/clock.ts';
import { allBranches } from './branches.ts';
import type { LiveAutomation } from './stored-rule.ts';
import type { Action } from './types.ts';

/** A circle that was gone through so often within an hour is a loop. */
const ROUNDS = 3;
const MOST_IN_CIRCLE = 3;
const LOOK_BACK_MS = HOUR;
const MOST_LOGS = ROUNDS * MOST_IN_CIRCLE;

/** Actions after which a device may report anything. */
const CHANGES_DEVICE: ReadonlySet<string> = new Set(['Reboot', 'TaskManagerAction', 'RunForm', 'Webhook']);

const actionsOf = ({ rule }: LiveAutomation): Action[] => allBranches(rule.branches).flatMap(({ branch }) => branch.actions ?? []);

/** Whether what one automation does can be what another one acts on: it changes the device, or tags that decide whether the other one applies. */
function canCause(one: LiveAutomation, other: LiveAutomation): boolean {
  return actionsOf(one).some(
    ({ name, options }) =>
      CHANGES_DEVICE.has(name) || ((name === 'AddTag' || name === 'RemoveTag') && other.tagIds.has(options?.tag_id ?? 0)),
  );
}

/** The circle of automations that the newest entries of a device go through repeatedly; undefined without one. `recent`: newest first, this one included. */
export function circleIn(recent: readonly number[]): readonly number[] | undefined {
  for (let length = 2; length <= MOST_IN_CIRCLE; length += 1) {
    const circle = recent.slice(0, length);
    if (recent.length < length * ROUNDS || new Set(circle).size < length) continue;
    if (recent.slice(0, length * ROUNDS).every((id, index) => id === circle[index % length])) return circle;
  }
  return undefined;
}

/**
 * Which of these firings close a circle of automations that cause each other on a device, with the names of the others. Those that only tell
 * somebody cause nothing and are not looked up.
 */
export async function findLoops(
  ctx: Context,
  trx: Trx,
  automations: readonly LiveAutomation[],
  firings: readonly { automation: LiveAutomation; news: DeviceNews }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const byId = new Map(automations.map((automation) => [automation.row.id, automation]));
  // Asked once for each automation: an outage is many firings of one.
  const causes = new Set(
    [...new Set(firings.map(({ automation }) => automation))].filter((one) =>
      automations.some((other) => other !== one && canCause(one, other)),
    ),
  );
  const causing = firings.filter(({ automation }) => causes.has(automation));
  for (const { automation, news } of causing) {
    const deviceId = news.row.id;
    const rows: Pick<Row<'automation_logs'>, 'automation_id'>[] = await trx
      .selectFrom('automation_logs')
      .select('automation_id')
      .where('device_id', '=', deviceId)
      .where('at', '>', ctx.clock.now() - LOOK_BACK_MS)
      .orderBy('id', 'desc')
      .limit(MOST_LOGS)
      .execute();
    const circle = circleIn([automation.row.id, ...rows.map((row) => row.automation_id)]);
    if (!circle) continue;
    const members = circle.map((id) => byId.get(id));
    // In the order of their causes: the newest entry is the first one.
    const isCaused = members.every((member, index) => {
      const cause = members[(index + 1) % members.length];
      return member !== undefined && cause !== undefined && canCause(cause, member);
    });
    if (!isCaused) continue;
    const others = members.flatMap((member) => (member && member !== automation ? [member.row.name] : []));
    found.set(`${automation.row.id} ${deviceId}`, others.join(', '));
  }
  return found;
}
