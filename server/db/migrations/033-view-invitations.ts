import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Invitations have a right of their own to be seen; whoever saw them with the people still does. */
export async function up(db: Db): Promise<void> {
  await sql`insert into role_permissions (role_id, permission) select role_id, 'view_user_invitations' from role_permissions
    where permission = 'view_users' on conflict do nothing`.execute(db);
}
