import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** What keeps devices up: a maintenance window, a backup rule, a signing key. */
export async function makeUpkeepRecords(world: World, { company, user, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const signingKey = await db
    .insertInto('signing_keys')
    .values({ company_id: company.id, name: marker, key_id: '0000000000000001', public_key: marker, user_name: marker, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const maintenanceWindow = await db
    .insertInto('maintenance_windows')
    .values({
      company_id: company.id,
      name: marker,
      applies_to: 'company',
      apply_list: '[]',
      days: '["sun"]',
      time_from: '01:00',
      time_to: '05:00',
      timezone: 'UTC',
      uses_device_time: 1,
      is_active: 0,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rule = await db
    .insertInto('backup_rules')
    .values({
      company_id: company.id,
      name: marker,
      applies_to: 'company',
      apply_list: '[]',
      period: 'day',
      day: null,
      time: '03:00',
      timezone: 'UTC',
      keep: 3,
      is_active: 1,
      created_by: user.id,
      actor_company_id: company.id,
      user_name: marker,
      created_at: now,
      updated_at: now,
      next_at: null,
      last_at: null,
      last_job_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    'backup-rules': rule.id,
    'signing-keys': signingKey.id,
    'maintenance-windows': maintenanceWindow.id,
  };
}
