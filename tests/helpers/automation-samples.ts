import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** An automation with its log, an alert of a device, and an on-call schedule. */
export async function makeAutomationRecords(world: World, { company, user, device, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const automation = await db
    .insertInto('automations')
    .values({
      company_id: company.id,
      name: marker,
      description: marker,
      is_enabled: 0,
      applies_to: 'device',
      apply_list: '[]',
      rule: JSON.stringify({ branches: [], delaySeconds: 0, delayCount: 1, cooldownSeconds: 0, limit: null, period: 'day' }),
      version: 1,
      created_by: user.id,
      actor_company_id: company.id,
      user_name: marker,
      triggered_count: 0,
      last_mail_at: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const automationLog = await db
    .insertInto('automation_logs')
    .values({
      automation_id: automation.id,
      device_id: device.id,
      company_id: company.id,
      at: now,
      branch: '0',
      version: 1,
      evaluated: '[]',
      actions: '[]',
      status: 'done',
      results: '[]',
      mails: 'none',
      finished_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const alert = await db
    .insertInto('alerts')
    .values({
      automation_id: automation.id,
      device_id: device.id,
      company_id: company.id,
      branch: '0',
      name: marker,
      severity: 'warning',
      message: marker,
      raised_at: now,
      ended_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      snoozed_until: null,
      cause_device_id: null,
      told_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const alertConfiguration = await db
    .insertInto('alert_configurations')
    .values({
      ...{ device_id: device.id, automation_id: automation.id, subtype_id: 1, action: 2, subject: marker, message: marker, email: '' },
      ...{ smtp_config_id: null, redundancy_enable: 0, redundancy_interval: 0, details: '{"alert_subtype_id":1}', created_by: user.id },
      ...{ created_at: now, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const schedule = await db
    .insertInto('on_call_schedules')
    .values({
      ...{
        company_id: company.id,
        name: marker,
        user_ids: '[]',
        shift_days: 7,
        starts_on: '2026-11-02',
        handover_hour: 9,
        timezone: 'UTC',
      },
      ...{ least_severity: 'critical', after_minutes: 0, next_minutes: 15, user_name: marker, created_at: now, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    automations: automation.id,
    'automations/logs': automationLog.id,
    alerts: alert.id,
    'on-call': schedule.id,
    'alerts-configurations': alertConfiguration.id,
    'devices/alerts-configurations': alertConfiguration.id,
  };
}
