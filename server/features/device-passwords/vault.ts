import { sql } from 'kysely';
import type { DevicePassword, PasswordLook } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { openPassword } from './password-input.ts';

/** What a view shows: the password, or those of which it is one, newest first. */
export interface ShownPasswords {
  device_name: string;
  username: string;
  is_proven: boolean;
  passwords: { password: string; created_at: string }[];
}

const vaultColumns: ListColumns = {
  id: sql.ref('device_passwords.id'),
  sorts: {
    id: { by: sql.ref('device_passwords.id') },
    device_name: { by: sql.ref('devices.name_key') },
    company_name: byText('companies.name'),
    changed_at: { by: sql.ref('device_passwords.changed_at') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('device_passwords.device_id'), integers(values)),
    company_id: (values) => isOneOf(sql.ref('devices.company_id'), integers(values)),
    is_proven: (values) =>
      isOneOf(
        sql.ref('device_passwords.is_proven'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('devices.serial'), sql.ref('device_passwords.username')], text),
};

const lookColumns: ListColumns = {
  id: sql.ref('device_password_looks.id'),
  sorts: {
    id: { by: sql.ref('device_password_looks.id') },
    device_name: byText('device_password_looks.device_name'),
    user_name: byText('device_password_looks.user_name'),
    // Views are numbered in the order of time.
    at: { by: sql.ref('device_password_looks.id') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('device_password_looks.device_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('device_password_looks.user_id'), integers(values)),
  },
  search: (text) =>
    containsText(
      [sql.ref('device_password_looks.device_name'), sql.ref('device_password_looks.user_name'), sql.ref('device_password_looks.reason')],
      text,
    ),
};

const selectVault = (db: Db, actor: Actor) =>
  db
    .selectFrom('device_passwords')
    .innerJoin('devices', 'devices.id', 'device_passwords.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where(isVisible(actor, 'devices'));

/** One page of what the vault has for devices that the actor sees, without the passwords. */
export async function listVault(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: DevicePassword[]; total: number }> {
  const base = selectVault(db, actor)
    .select(['device_passwords.id', 'device_passwords.device_id', 'device_passwords.username', 'device_passwords.is_proven'])
    .select(['device_passwords.changed_at', 'device_passwords.job_id', 'devices.name as device_name', 'devices.serial'])
    .select(['devices.company_id', 'companies.name as company_name']);
  const { rows, total } = await applyListQuery(base, query, vaultColumns);
  return { rows: rows.map((row) => ({ ...row, is_proven: row.is_proven === 1, changed_at: wireTime(row.changed_at) })), total };
}

/** One page of who looked at passwords of the companies that the actor sees. */
export async function listLooks(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: PasswordLook[]; total: number }> {
  const base = db
    .selectFrom('device_password_looks')
    .innerJoin('companies', 'companies.id', 'device_password_looks.company_id')
    .selectAll('device_password_looks')
    .select('companies.name as company_name')
    .where(isVisible(actor, 'device_password_looks'));
  const { rows, total } = await applyListQuery(base, query, lookColumns);
  return { rows: rows.map((row) => ({ ...row, at: wireTime(row.at) })), total };
}

/** Shows what is kept for one user of one device. The view is recorded before anything is answered. Throws NOT_FOUND. */
export async function lookAt(ctx: Context, { actor, origin }: Caller, id: number, reason: string): Promise<ShownPasswords> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const row = await selectVault(trx, actor)
      .selectAll('device_passwords')
      .select(['devices.name as device_name', 'devices.company_id'])
      .where('device_passwords.id', '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFound({});
    const { device_id, device_name, username, company_id } = row;
    const look = { company_id, device_id, device_name, username, reason };
    await trx
      .insertInto('device_password_looks')
      .values({ ...look, user_id: actor.userId, user_name: actor.name, ip: origin.ip, at })
      .execute();
    const entry = {
      action: 'device-passwords.show',
      entity: 'device',
      entityId: device_id,
      entityName: device_name,
      companyId: company_id,
    };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { username, reason } }]);
    const values = await trx.selectFrom('device_password_values').selectAll().where('password_id', '=', id).orderBy('id', 'desc').execute();
    const passwords = values.map(({ sealed_value, created_at }) => ({
      password: openPassword(ctx, device_id, sealed_value),
      created_at: wireTime(created_at),
    }));
    return { device_name, username, is_proven: row.is_proven === 1, passwords };
  });
}
