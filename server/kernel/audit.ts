import type { JsonValue } from '../../schemas/kit/form/types.ts';
import type { Trx } from '../db/schema.ts';
import type { Actor, Origin } from './actor.ts';

export interface AuditEntry {
  /** `<resource>.<verb>`, for example `devices.move`. */
  action: string;
  entity: string;
  entityId: number | null;
  entityName: string;
  companyId: number | null;
  /** The company that the record left `companyId` for, when another row is about that company. */
  leftForId?: number;
  /** The full row before; null when it is made. Secrets are left out by the caller. */
  before: Record<string, JsonValue | undefined> | null;
  /** The full row after; null when it is removed. */
  after: Record<string, JsonValue | undefined> | null;
}

/** What is kept of who did it. */
export type AuditActor = Pick<Actor, 'userId' | 'name' | 'onBehalfOf' | 'tokenName'>;

/** One text for a record of any kind. */
export const recordKey = (entity: string, id: number | null): string => `${entity}:${id}`;

const ROWS_PER_INSERT = 500;

/** Adds audit rows in the transaction of the write they describe: no write without its row, no row without its write. */
export async function writeAudit(
  trx: Trx,
  who: { actor: AuditActor | null; origin: Origin; at: number },
  entries: AuditEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({
    at: who.at,
    actor_id: who.actor?.userId ?? null,
    actor_name: who.actor?.name ?? '',
    on_behalf_of: who.actor?.onBehalfOf ?? null,
    action: entry.action,
    entity: entry.entity,
    entity_id: entry.entityId,
    entity_name: entry.entityName,
    company_id: entry.companyId,
    left_for_id: entry.leftForId ?? null,
    before: entry.before && JSON.stringify(entry.before),
    after: entry.after && JSON.stringify(entry.after),
    ip: who.origin.ip,
    token_name: who.actor?.tokenName ?? null,
    request_id: who.origin.requestId,
    form: who.origin.form ?? null,
    undoes: who.origin.undoes?.get(recordKey(entry.entity, entry.entityId)) ?? null,
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('audit')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}
