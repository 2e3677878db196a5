import { sql } from 'kysely';
import type { AuthorizedDevice } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsAny, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const status = sql<AuthorizedDevice['status']>`case when devices.quarantine is null then 'approved' else 'waiting' end`;

const columns: ListColumns = {
  id: sql.ref('devices.id'),
  sorts: {
    id: { by: sql.ref('devices.id') },
    name: { by: sql.ref('devices.name_key') },
    company_name: byText('companies.name'),
    status: { by: status },
    created_at: { by: sql.ref('devices.created_at') },
    activated_at: { by: sql.ref('devices.activated_at'), isNullable: true },
  },
  filters: {
    status: (values) => isOneOf(status, values),
    company_id: (values) => isOneOf(sql.ref('devices.company_id'), integers(values)),
    serial: (values) => containsAny(sql.ref('devices.serial'), values),
    mac: (values) => containsAny(sql.ref('devices.mac'), values),
  },
};

/** One page of the devices that have a credential of their own: approved by the code that they joined with, or waiting for somebody's decision. */
async function listAuthorized(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: AuthorizedDevice[]; total: number }> {
  const base = db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .leftJoin('enrolment_codes', 'enrolment_codes.id', 'devices.enrolment_code_id')
    .where(isVisible(actor, 'devices'))
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.imei', 'devices.model', 'devices.company_id'])
    .select(['companies.name as company_name', 'enrolment_codes.hint as code_hint', 'devices.quarantine'])
    .select(['devices.created_at', 'devices.activated_at', status.as('status')]);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map((row) => ({ ...row, created_at: wireTime(row.created_at), activated_at: wireTime(row.activated_at) })),
    total,
  };
}

/** Registers the list of devices that may connect, and of those that wait for it. */
export function registerAuthorizedDevices(app: App): void {
  listRoute(app, {
    path: '/devices/authorized',
    access: { permission: 'super_admin' },
    summary: 'Devices that may connect, and those that wait for a decision.',
    tag: 'devices',
    rules: listRulesOf('authorized-devices', { sorts: ['id'] }),
    list: (ctx, actor, query) => listAuthorized(ctx.reads, actor, query),
  });
}
