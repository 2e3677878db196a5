import type { Automation, FormData } from '../../../schemas/_generated/contract.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';

// Bodies as programs of the public API send them, as those of the routes. What is none of them comes back as it is, and is refused by the body's rules.

/** The documented body is a list of one record. */
export function readOnlyOne(body: unknown): unknown {
  return Array.isArray(body) && body.length === 1 ? body[0] : body;
}

function readBranch(branch: unknown): unknown {
  if (!isMembers(branch)) return branch;
  // Names of branches and actions are given when they are read.
  const { tag: _tag, ...kept } = branch;
  const { expression, conditions, actions } = kept;
  const texts = (condition: unknown): unknown => {
    if (!isMembers(condition)) return condition;
    const { value } = condition;
    return typeof value === 'number' || typeof value === 'boolean' ? { ...condition, value: String(value) } : condition;
  };
  const withoutTag = (action: unknown): unknown => {
    if (!isMembers(action)) return action;
    const { tag: _name, ...rest } = action;
    return rest;
  };
  return {
    ...kept,
    ...(Array.isArray(actions) ? { actions: actions.map(withoutTag) } : {}),
    ...(Array.isArray(expression) ? { expression: expression.map(texts) } : {}),
    ...(Array.isArray(conditions) ? { conditions: conditions.map(readBranch) } : {}),
  };
}

/** An automation: values of conditions may be numbers, and no repetition is one report. */
export function readAutomation(body: unknown): unknown {
  if (!isMembers(body)) return body;
  const { conditions_body: branches, delay_repetitions_count: count } = body;
  return {
    ...body,
    ...(count === 0 ? { delay_repetitions_count: 1 } : {}),
    ...(Array.isArray(branches) ? { conditions_body: branches.map(readBranch) } : {}),
  };
}

/** Automations by device, `{ device_id: 7, automation_id: [1, 2] }`, as the devices of each automation. */
export function readByDevice(body: unknown): unknown {
  if (!isMembers(body) || !Array.isArray(body['data'])) return body;
  const devices = new Map<unknown, unknown[]>();
  for (const one of body['data'] as unknown[]) {
    if (!isMembers(one) || !Array.isArray(one['automation_id']) || Array.isArray(one['device_id'])) return body;
    for (const id of one['automation_id'] as unknown[]) devices.set(id, [...(devices.get(id) ?? []), one['device_id']]);
  }
  return { ...body, data: [...devices].map(([automation_id, device_id]) => ({ automation_id, device_id })) };
}

type Body = FormData['automations/edit'];

/** A new automation of a program, which names its devices by a call of its own: until then it is for none. */
export function forDevicesToCome<B extends Partial<FormData['automations/new']>>(body: B): B {
  return body.applies_to === undefined ? { ...body, applies_to: 'device' } : body;
}

/** What a program sent of an automation, with all else as it was; its chosen devices stay unless it names others. */
export function keepingRest(automation: Automation, body: Partial<Body>): Body {
  const { name, description, applies_to, tag_ids, conditions_body, period, period_trigger_limit: limit, enabled } = automation;
  const { recovery_duration: recovery } = automation;
  const { delay_enabled, delay_duration, delay_repetitions_count, cooldown_enabled, cooldown_duration } = automation;
  const kept = {
    ...{ name, applies_to, enabled, period, delay_enabled, delay_duration, delay_repetitions_count, cooldown_enabled, cooldown_duration },
    ...(description === null ? {} : { description }),
    ...(limit === null ? {} : { period_trigger_limit: limit }),
    ...(recovery === null ? {} : { recovery_duration: recovery }),
    ...(applies_to === 'tag' ? { tag_ids } : {}),
    conditions_body,
  };
  return { ...(kept as unknown as Body), ...body };
}
