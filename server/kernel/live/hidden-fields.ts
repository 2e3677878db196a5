import { resources } from '../../../resources.config.ts';
import type { EventName, PermissionName } from '../../../schemas/_generated/contract.ts';
import eventsFile from '../../../schemas/events.json' with { type: 'json' };
import type { EventsFile } from '../../../schemas/kit/form/types.ts';
import { can, type Actor } from '../actor.ts';

const contract = eventsFile as EventsFile;
const byEntity = new Map<string, Map<string, PermissionName>>();
for (const resource of resources) {
  const fields = byEntity.get(resource.entity) ?? new Map<string, PermissionName>();
  for (const column of resource.table?.columns ?? [])
    if ('permission' in column && column.permission) fields.set(column.key, column.permission);
  byEntity.set(resource.entity, fields);
}

/** Fields of an event's payload that only holders of a permission see: the same ones that the list call hides. */
export function hiddenFieldsOf(event: EventName): ReadonlyMap<string, PermissionName> | undefined {
  const payload = contract.events[event]?.payload;
  const fields = payload && 'entity' in payload ? byEntity.get(payload.entity) : undefined;
  return fields?.size ? fields : undefined;
}

const guarded = [...new Set([...byEntity.values()].flatMap((fields) => [...fields.values()]))].sort();

/** The actor's permissions as far as they decide about fields, as one text: followers with the same text get the same bytes. */
export function rightsKey(actor: Actor): string {
  return guarded.filter((permission) => can(actor, permission)).join(',');
}

/** The payload without the fields that followers with these rights do not see; the payload itself when it has none. */
export function withoutHidden<P extends object>(payload: P, fields: ReadonlyMap<string, PermissionName>, rights: string): P {
  const held = new Set(rights.split(','));
  const hidden = Object.keys(payload).filter((field) => {
    const permission = fields.get(field);
    return permission !== undefined && !held.has(permission);
  });
  if (hidden.length === 0) return payload;
  const visible = { ...payload };
  for (const field of hidden) Reflect.deleteProperty(visible, field);
  return visible;
}
