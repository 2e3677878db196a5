import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { PermissionsFile } from '../../../schemas/kit/form/types.ts';
import type { Db } from '../../db/schema.ts';
import type { DialectTools } from '../../db/dialect.ts';
import { sql } from 'kysely';
import { inTransaction } from '../db/database.ts';

const file = permissionsFile as PermissionsFile;

/** Brings the built-in roles and their permissions to what schemas/permissions.json says; custom roles stay as they are. */
export async function syncBuiltInRoles(db: Db, tools: DialectTools, now: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const role of file.roles) {
      const values = { name: role.key, title: role.title, description: role.description, scope: role.scope };
      await trx
        .insertInto('roles')
        .values({ id: role.id, ...values, company_id: null, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute();
      await trx.deleteFrom('role_permissions').where('role_id', '=', role.id).execute();
      const held = file.permissions.filter((permission) => permission.roles.includes(role.key));
      await trx
        .insertInto('role_permissions')
        .values(held.map((permission) => ({ role_id: role.id, permission: permission.name })))
        .execute();
    }
    // Rows written with their id do not move PostgreSQL's counter.
    if (tools.kind === 'postgres')
      await sql`select setval(pg_get_serial_sequence('roles', 'id'), (select max(id) from roles))`.execute(trx);
  });
}
