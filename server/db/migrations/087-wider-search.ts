import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Devices are also found by model, description and SIM card; and the summary of credits has a right of its own, which holders of the former one keep. */
export async function up(db: Db): Promise<void> {
  await sql`update devices set search_text = search_text || case when model = '' then '' else ' ' || lower_text(model) end
    || case when coalesce(description, '') = '' then '' else ' ' || lower_text(description) end
    || case when coalesce(iccid, '') = '' then '' else ' ' || lower_text(iccid) end`.execute(db);
  await sql`insert into role_permissions (role_id, permission) select role_id, 'view_credits_summary' from role_permissions
    where permission = 'view_credits' and role_id not in (select role_id from role_permissions where permission = 'view_credits_summary')`.execute(
    db,
  );
}
