import { isDeepStrictEqual } from 'node:util';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { PermissionsFile } from '../../../schemas/kit/form/types.ts';
import type { Db } from '../../db/schema.ts';
import type { DialectTools } from '../../db/dialect.ts';
import { sql } from 'kysely';
import { inTransaction } from '../db/database.ts';

const file = permissionsFile as PermissionsFile;

/** Brings the built-in roles and their permissions to what schemas/permissions.json says; custom roles stay as they are. */
export async function syncBuiltInRoles(db: Db, tools: DialectTools, now: number): Promise<void> {
  const stored = new Map(
    (await db.selectFrom('roles').selectAll().where('company_id', 'is', null).execute()).map((role) => [role.id, role]),
  );
  const held = Map.groupBy(await db.selectFrom('role_permissions').selectAll().execute(), (row) => row.role_id);
  const isStored = ({ id, key, title, description, scope }: PermissionsFile['roles'][number]): boolean => {
    const role = stored.get(id);
    const permissions = new Set((held.get(id) ?? []).map(({ permission }) => permission));
    return (
      role?.name === key &&
      role.title === title &&
      role.description === description &&
      role.scope === scope &&
      isDeepStrictEqual(permissions, new Set(permissionsOf(key)))
    );
  };
  const changed = file.roles.filter((role) => !isStored(role));
  if (changed.length === 0) return;
  await inTransaction(db, async (trx) => {
    for (const role of changed) {
      const values = { name: role.key, title: role.title, description: role.description, scope: role.scope };
      await trx
        .insertInto('roles')
        .values({ id: role.id, ...values, company_id: null, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute();
      await trx.deleteFrom('role_permissions').where('role_id', '=', role.id).execute();
      await trx
        .insertInto('role_permissions')
        .values(permissionsOf(role.key).map((permission) => ({ role_id: role.id, permission })))
        .execute();
    }
    // Rows written with their id do not move PostgreSQL's counter.
    if (tools.kind === 'postgres')
      await sql`select setval(pg_get_serial_sequence('roles', 'id'), (select max(id) from roles))`.execute(trx);
  });
}

function permissionsOf(role: PermissionsFile['roles'][number]['key']): string[] {
  return file.permissions.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
}
