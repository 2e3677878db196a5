import { CHANGE_SET_PURPOSE } from '../../server/features/device-api/change-sets.ts';
import { VPN_HUB_PURPOSE } from '../../server/features/vpn/store.ts';
import { VOUCHERS_PURPOSE } from '../../server/features/wireless/vouchers.ts';
import { sealText } from '../../server/kernel/seal.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { makeDevice, makeEnrolmentCode, makeFile, makeRemovedDevice, makeRole, makeTag, makeUser } from './factories.ts';
import { makeRemoteRecords } from './remote-samples.ts';
import { makeAccessToken, makeApplication, makeServiceAccount } from './token-factories.ts';
import type { World } from './world.ts';

interface Company {
  id: number;
  path: string;
}

/** A number that nothing has. */
export const UNKNOWN_ID = 987_654_321;

/** The collection that a route belongs to: `/api/devices/:id/logs` → `devices`. */
function collectionOf(path: string): string {
  return path.replace(/^\/api\//, '').split('/:')[0] ?? '';
}

interface TaskPlace {
  company: Company;
  device: { id: number; name: string };
  /** A job whose row is taken as the model of the run. */
  jobId: number;
  marker: string;
}

/** A list of tasks with one task, and a run of it. */
async function makeTaskRecords(world: World, { company, device, jobId, marker }: TaskPlace) {
  const now = world.clock.now();
  const { db } = world.ctx;
  const times = { created_at: now, updated_at: now };
  const group = await db
    .insertInto('task_groups')
    .values({ company_id: company.id, name: `${marker} list`, variables: '[]', success_tag_ids: '[]', failed_tag_ids: '[]', ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const common = { name: `${marker} task`, type: 'command', timeout: 10 } as const;
  const task = await db
    .insertInto('tasks')
    .values({ ...common, ...times, group_id: group.id, place: 0, stop_on_failure: 1, data: JSON.stringify({ command: marker }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taskPlan = await db
    .insertInto('task_plans')
    .values({
      company_id: company.id,
      group_id: group.id,
      name: marker,
      applies_to: 'company',
      apply_list: '[]',
      period: 'day',
      day: null,
      time: '03:00',
      timezone: 'UTC',
      every_hours: null,
      given: '[]',
      is_active: 1,
      created_by: null,
      actor_company_id: company.id,
      user_name: marker,
      ...times,
      next_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: _id, ...model } = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const tasks = [{ ...common, task_id: task.id, stop_on_failure: true, command: marker, acceptable_codes: [] }];
  const kept = { group_id: group.id, name: `${marker} list`, tasks, variables: [], values: {}, success_tag_id: [], failed_tag_id: [] };
  const run = await db
    .insertInto('jobs')
    .values({ ...model, kind: 'execute_tasks_group', input: JSON.stringify(kept) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const target = await db
    .insertInto('job_targets')
    .values({
      job_id: run.id,
      device_id: device.id,
      device_name: device.name,
      company_id: company.id,
      command_id: `${marker} ${company.id}`,
      state: 'ok',
      truncated: 0,
      attempts: 1,
      finished_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    'devices/tasks/groups': group.id,
    'task-plans': taskPlan.id,
    'devices/tasks': task.id,
    'devices/tasks/groups/logs': target.id,
    'devices/tasks/logs': target.id * 2 + 1,
  };
}

/** What the vault has of a device, a look at it, and a plan for its company. */
async function makePasswordRecords(world: World, { company, device, jobId, marker }: TaskPlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const password = await db
    .insertInto('device_passwords')
    .values({ device_id: device.id, username: `${marker} root`, is_proven: 1, changed_at: now, job_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const look = { device_id: device.id, device_name: device.name, username: 'root', user_id: null, user_name: marker, reason: marker };
  await db
    .insertInto('device_password_looks')
    .values({ ...look, company_id: company.id, ip: '127.0.0.1', at: now })
    .execute();
  const scope = { company_id: company.id, name: `${marker} plan`, applies_to: 'company', apply_list: '[]' } as const;
  const who = { created_by: null, actor_company_id: company.id, user_name: marker };
  const times = { created_at: now, updated_at: now, next_at: null, last_at: null, last_job_id: null };
  const plan = await db
    .insertInto('password_plans')
    .values({ ...scope, ...who, ...times, username: 'root', length: 16, use_special: 1, every_days: 30, is_active: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: _id, ...model } = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const job = await db
    .insertInto('jobs')
    .values({ ...model, kind: 'set_passwords', input: JSON.stringify({ mode: 'generate', keep: ['list'], secrets: '' }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('password_lists').values({ job_id: job.id, created_at: now, ended_at: null, end_reason: null }).execute();
  return { 'devices/passwords': password.id, 'devices/passwords/plans': plan.id, tasks: job.id };
}

/** A configuration template that a device follows, and a variable of the company. */
async function makeConfigurationRecords(world: World, { company, device, marker }: Omit<TaskPlace, 'jobId'>) {
  const { db } = world.ctx;
  const now = world.clock.now();
  const times = { user_name: marker, created_at: now, updated_at: now };
  const template = await db
    .insertInto('configuration_templates')
    .values({
      ...times,
      company_id: company.id,
      name: marker,
      description: marker,
      system: 'rutos',
      base_id: null,
      version: marker,
      revision: 1,
      template: '[]',
      min_firmware: '',
      max_firmware: '',
      created_by: null,
      actor_company_id: company.id,
      next_at: now * 2,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('configuration_revisions')
    .values({ template_id: template.id, revision: 1, version: marker, template: '[]', user_name: marker, created_at: now })
    .execute();
  const variable = await db
    .insertInto('configuration_variables')
    .values({ ...times, company_id: company.id, tag_id: null, device_id: null, name: 'sample', value: marker, is_secret: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const changeSet = await db
    .insertInto('change_sets')
    .values({
      ...times,
      company_id: company.id,
      name: marker,
      description: marker,
      state: 'draft',
      sealed_edits: sealText(world.ctx.secretKey, CHANGE_SET_PURPOSE, '[]'),
      edits_count: 0,
      devices_count: 0,
      created_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const drift = await db
    .insertInto('device_templates')
    .values({
      device_id: device.id,
      template_id: template.id,
      state: 'differs',
      revision: 1,
      differences: '[]',
      differences_count: 1,
      applied_at: now,
      compared_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    'devices/configurator/change-sets': changeSet.id,
    'devices/configurator/templates': template.id,
    'devices/configurator/variables': variable.id,
    'devices/configurator/drift': drift.id,
  };
}

/** Makes one record of each kind in a company; `marker` is part of every text that people could read. */
export async function makeRecords(world: World, company: Company, marker = 'sample'): Promise<Record<string, number>> {
  const now = world.clock.now();
  const user = await makeUser(world, {
    company,
    role: 'read_only',
    username: `${marker} person`,
    email: `${marker.toLowerCase()}-${company.id}@example.org`,
    first_name: marker,
  });
  const tag = await makeTag(world, { company, name: `${marker}-tag` });
  const device = await makeDevice(world, {
    company,
    tags: [tag],
    name: `${marker}-device`,
    model: `${marker}-model`,
    operator: `${marker}-operator`,
    firmware: `${marker}-firmware`,
  });
  const file = await makeFile(world, { company, name: `${marker}-file`, description: marker, content: marker });
  const code = await makeEnrolmentCode(world, { company, tags: [tag], name_prefix: marker, created_by: user.id });
  const role = await makeRole(world, { company, title: `${marker} role`, permissions: ['view_tags'] });
  const service = await makeServiceAccount(world, { company, name: `${marker} robot` });
  const token = await makeAccessToken(world, { user: service, name: `${marker} token` });
  const application = await makeApplication(world, { company, name: `${marker} application` });
  const job = await world.ctx.db
    .insertInto('jobs')
    .values({
      kind: 'run',
      input: JSON.stringify({ command: `echo ${marker}` }),
      state: 'finished',
      total: 1,
      counts: JSON.stringify({ queued: 0, sent: 0, running: 0, ok: 1, failed: 0, skipped: 0, 'timed-out': 0, cancelled: 0 }),
      created_by: user.id,
      user_name: user.username,
      message: null,
      on_behalf_of: null,
      company_id: company.id,
      reach_path: company.path,
      is_one_company: 1,
      origin: JSON.stringify({ ip: '127.0.0.1', requestId: 'test', userAgent: 'test' }),
      parent_job_id: null,
      idempotency_key: null,
      selection: null,
      seen_count: null,
      deadline_at: now,
      cancel_requested_at: null,
      lease_owner: null,
      lease_until: null,
      created_at: now,
      started_at: now,
      finished_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tasks = await makeTaskRecords(world, { company, device, jobId: job.id, marker });
  const passwords = await makePasswordRecords(world, { company, device, jobId: job.id, marker });
  const change = await world.ctx.db
    .insertInto('audit')
    .values({
      at: now,
      actor_id: user.id,
      actor_name: `${marker} person`,
      on_behalf_of: null,
      action: 'tags.new',
      entity: 'tag',
      entity_id: tag.id,
      entity_name: `${marker}-tag`,
      company_id: company.id,
      before: null,
      after: JSON.stringify({ name: `${marker}-tag` }),
      ip: '127.0.0.1',
      token_name: null,
      request_id: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const creditCode = await world.ctx.db
    .insertInto('credit_codes')
    .values({
      company_id: company.id,
      credit_type_id: 2,
      amount: 1,
      code_hash: `${marker} ${company.id}`,
      hint: 'ABCD',
      comment: `${marker} code`,
      created_by: user.id,
      used_by_company_id: null,
      used_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const action = await world.ctx.db
    .insertInto('tag_actions')
    .values({
      tag_id: tag.id,
      kind: 'run',
      input: JSON.stringify({ command: marker }),
      created_by: user.id,
      company_id: company.id,
      user_name: marker,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await world.ctx.db
    .insertInto('tag_runs')
    .values({
      tag_id: tag.id,
      device_id: device.id,
      action_id: action.id,
      kind: 'run',
      input: '{}',
      user_id: user.id,
      company_id: company.id,
      user_name: marker,
      state: 'started',
      reason: null,
      batch: null,
      job_id: job.id,
      created_at: now,
    })
    .execute();
  const invitation = await world.ctx.db
    .insertInto('invitations')
    .values({
      email: `${marker.toLowerCase()}-invited@example.org`,
      company_id: company.id,
      role_id: 4,
      is_distributor: 0,
      token_hash: `${marker} ${company.id}`,
      invited_by: user.id,
      inviter_company_id: company.id,
      sent_at: null,
      mail_error: null,
      expires_at: now + 1000,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const suppressed = await world.ctx.db
    .insertInto('suppressed_emails')
    .values({ email: `${marker.toLowerCase()}-gone-${company.id}@example.org`, company_id: company.id, reason: marker, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const configuration = await world.ctx.db
    .insertInto('email_configurations')
    .values({
      company_id: company.id,
      name: marker,
      host: 'mail.example.org',
      port: 587,
      security: 'starttls',
      email: `${marker.toLowerCase()}@example.org`,
      username: marker,
      sealed_password: marker,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Without the marker: companies below send in these words.
  await world.ctx.db
    .insertInto('email_templates')
    .values({ company_id: company.id, kind: 'invitation', language: 'en', subject: 'Welcome', text: '{url}', updated_at: now })
    .execute();
  const impersonation = await world.ctx.db
    .insertInto('impersonation_logs')
    .values({
      actor_id: user.id,
      actor_name: marker,
      user_id: user.id,
      user_name: marker,
      company_id: company.id,
      reason: marker,
      ip: '127.0.0.1',
      session_id: `${marker} ${company.id}`,
      started_at: now,
      expires_at: now + 1000,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = await world.ctx.db
    .insertInto('credit_accounts')
    .values({ kind: 'company', company_id: company.id, credit_type_id: 2, balance: 3, expires_at: now + 1000, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const dashboard = await world.ctx.db
    .insertInto('dashboards')
    .values({
      company_id: company.id,
      owner_id: null,
      kind: 'fleet',
      name: marker,
      is_default: 0,
      widgets: '[]',
      version: 1,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const image = await world.ctx.db
    .insertInto('images')
    .values({
      company_id: company.id,
      user_id: user.id,
      user_name: marker,
      name: marker,
      description: marker,
      type: 'device_dashboard',
      content_type: 'image/png',
      size: 1,
      original_width: 1,
      original_height: 1,
      bytes: '',
      thumbnail: '',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const site = await world.ctx.db
    .insertInto('sites')
    .values({
      router_id: null,
      company_id: company.id,
      name: marker,
      address: marker,
      latitude: null,
      longitude: null,
      contact_name: '',
      contact_phone: '',
      contact_email: '',
      notes: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sim = await world.ctx.db
    .insertInto('sims')
    .values({
      ...{ company_id: company.id, iccid: marker, imsi: marker, operator: marker, device_id: null, modem: 1, slot: 1 },
      ...{ first_seen_at: now, last_seen_at: now, phone_number: marker, note: marker, limit_bytes: null, starts_on: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const vpn = await makeVpn(world, company.id, marker, now);
  const hotspots = await makeHotspots(world, { company, device, marker });
  const remote = await makeRemoteRecords(world, { company, device, user, tag, marker });
  const view = await world.ctx.db
    .insertInto('views')
    .values({
      resource: 'devices',
      name: marker,
      share: 'company',
      company_id: company.id,
      owner_id: null,
      created_by: null,
      user_name: marker,
      query: '',
      columns: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const signingKey = await world.ctx.db
    .insertInto('signing_keys')
    .values({ company_id: company.id, name: marker, key_id: '0000000000000001', public_key: marker, user_name: marker, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const report = await world.ctx.db
    .insertInto('reports')
    .values({
      company_id: company.id,
      name: marker,
      description: marker,
      type: 'single',
      period: 'month',
      parameters: '["signal"]',
      applies_to: 'company',
      apply_list: '[]',
      is_active: 0,
      start_date: null,
      end_date: null,
      time: '06:00',
      timezone: 'UTC',
      next_at: null,
      generated_at: null,
      created_by: user.id,
      actor_company_id: company.id,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const generated = await world.ctx.db
    .insertInto('generated_reports')
    .values({
      company_id: company.id,
      report_id: report.id,
      report_name: marker,
      name: marker,
      description: marker,
      type: 'single',
      period: 'month',
      parameters: '["signal"]',
      starts_at: 0,
      ends_at: 86_400_000,
      job_id: null,
      user_name: marker,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const automation = await world.ctx.db
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
  const automationLog = await world.ctx.db
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
  const alert = await world.ctx.db
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
  const alertConfiguration = await world.ctx.db
    .insertInto('alert_configurations')
    .values({
      ...{ device_id: device.id, automation_id: automation.id, subtype_id: 1, action: 2, subject: marker, message: marker, email: '' },
      ...{ smtp_config_id: null, redundancy_enable: 0, redundancy_interval: 0, details: '{"alert_subtype_id":1}', created_by: user.id },
      ...{ created_at: now, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const schedule = await world.ctx.db
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
  const maintenanceWindow = await world.ctx.db
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
  const rule = await world.ctx.db
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
  const template = await world.ctx.db
    .insertInto('monitoring_templates')
    .values({
      company_id: company.id,
      name: marker,
      description: marker,
      api_system: null,
      api_version: '1',
      device_documentation_id: null,
      data: JSON.stringify([
        { url: '/file/proc/loadavg', query_parameters: [], variables: [{ id: 'load', filter: '$.text', type: 'string' }] },
      ]),
      version: 1,
      is_enabled: 1,
      period: 300,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const assignment = await world.ctx.db
    .insertInto('monitoring_assignments')
    .values({
      template_id: template.id,
      device_id: device.id,
      is_enabled: 1,
      period: 300,
      last_at: null,
      last_bytes: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await world.ctx.db
    .insertInto('monitoring_reports')
    .values({ template_id: template.id, device_id: device.id, company_id: company.id, at: now, data: '{}', log: JSON.stringify([marker]) })
    .execute();
  await world.ctx.db
    .insertInto('monitoring_variables')
    .values({
      metric: `mt${template.id}_load`,
      template_id: template.id,
      variable: 'load',
      url: '/file/proc/loadavg',
      type: 'string',
      description: marker,
    })
    .execute();
  const templates = await makeConfigurationRecords(world, { company, device, marker });
  const note = await world.ctx.db
    .insertInto('device_notes')
    .values({ device_id: device.id, user_id: user.id, user_name: marker, text: marker, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const removed = await makeRemovedDevice(world, { company, name: `${marker}-removed` });
  return {
    ...tasks,
    ...passwords,
    ...templates,
    'backup-rules': rule.id,
    'signing-keys': signingKey.id,
    'maintenance-windows': maintenanceWindow.id,
    automations: automation.id,
    'data-collect/configs': template.id,
    'data-collect/assignments': assignment.id,
    reports: report.id,
    'reports/generated': generated.id,
    'automations/logs': automationLog.id,
    alerts: alert.id,
    'on-call': schedule.id,
    'alerts-configurations': alertConfiguration.id,
    'devices/alerts-configurations': alertConfiguration.id,
    'devices/notes': note.id,
    dashboards: dashboard.id,
    images: image.id,
    sites: site.id,
    sims: sim.id,
    ...vpn,
    ...hotspots,
    ...remote,
    views: view.id,
    users: user.id,
    'users/invitations': invitation.id,
    'users/impersonation': UNKNOWN_ID,
    'users/impersonation-logs': impersonation.id,
    tags: tag.id,
    'tags/actions': action.id,
    'devices/tags': tag.id,
    'devices/companies': company.id,
    credits: account.id,
    'credits/codes': creditCode.id,
    devices: device.id,
    'devices/removed': removed.id,
    files: file.id,
    'devices/enrolment-codes': code.id,
    roles: role.id,
    companies: company.id,
    themes: company.id,
    jobs: job.id,
    history: change.id,
    'history/changes': change.id,
    'account/access-tokens': UNKNOWN_ID,
    'service-accounts': service.id,
    'access-tokens': token.id,
    applications: application.id,
    'account/sessions': UNKNOWN_ID,
    'mfa/passkeys': UNKNOWN_ID,
    'notifications/rules': UNKNOWN_ID,
    'system/announcements': UNKNOWN_ID,
    'system/mailbox': UNKNOWN_ID,
    'system/serial-numbers': UNKNOWN_ID,
    'system/suppressed-emails': suppressed.id,
    'email-configurations': configuration.id,
    'email-templates': company.id * 1000 + 10,
  };
}

/** A hotspot of a device, and vouchers for it. */
async function makeHotspots(
  world: World,
  { company, device, marker }: { company: { id: number }; device: { id: number }; marker: string },
): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const hotspot = await db
    .insertInto('device_hotspots')
    .values({
      device_id: device.id,
      hotspot_index: 1,
      ssid: marker,
      active: 1,
      ip: '10.0.0.1',
      users: 0,
      auth_type: 'password',
      accounts: '[]',
      sessions: '[]',
      read_at: null,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const vouchers = await db
    .insertInto('hotspot_vouchers')
    .values({
      company_id: company.id,
      name: marker,
      ssid: marker,
      amount: 1,
      minutes: 60,
      megabytes: 0,
      ends_at: null,
      sealed_codes: sealText(world.ctx.secretKey, VOUCHERS_PURPOSE, JSON.stringify(['SAMPLE22'])),
      revoked_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { 'hotspots/networks': hotspot.id, 'hotspots/vouchers': vouchers.id };
}

async function makeVpn(world: World, companyId: number, marker: string, now: number): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const times = { created_at: now, updated_at: now };
  const hub = await db
    .insertInto('vpn_hubs')
    .values({
      company_id: companyId,
      name: marker,
      description: marker,
      endpoint: 'vpn.example',
      port: 51820,
      network: 0x0a4d0000,
      prefix: 24,
      enabled: 1,
      public_key: marker,
      sealed_key: sealText(world.ctx.secretKey, VPN_HUB_PURPOSE, marker),
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [one, other] = await db
    .insertInto('vpn_clients')
    .values(
      [2, 3].map((host) => ({
        vpn_hub_id: hub.id,
        type: 'custom' as const,
        device_id: null,
        name: `${marker}-${host}`,
        address: 0x0a4d0000 + host,
        enabled: 1 as const,
        public_key: null,
        ...times,
      })),
    )
    .returning('id')
    .execute();
  const [from, to] = [one?.id ?? 0, other?.id ?? 0];
  const route = await db
    .insertInto('vpn_routes')
    .values({ vpn_hub_id: hub.id, vpn_client_id: to, name: marker, network: 0xc0a80800, prefix: 24, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rule = await db
    .insertInto('vpn_rules')
    .values({ vpn_hub_id: hub.id, from_client_id: from, to_client_id: to, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { 'vpn/quick-hubs': hub.id, 'vpn/hubs': hub.id, 'vpn/hubs/users': from, 'vpn/hubs/routes': route.id, 'vpn/hubs/rules': rule.id };
}

/** The path of a route with an id in it; undefined when the route names no record. Throws for a kind of record that has no sample. */
export function pathWithId(route: RouteInfo, records: Record<string, number>): string | undefined {
  if (!route.path.includes('/:id')) return undefined;
  const id = records[collectionOf(route.path)];
  if (id === undefined)
    throw new Error(`No sample record for ${route.path}: add its kind to makeRecords in tests/helpers/route-samples.ts`);
  return route.path
    .replace(':id', String(id))
    .replace(':type', 'dynamic')
    .replace(':index', '1')
    .replace(':other', String(id))
    .replace(':alert_id', String(records['alerts-configurations']))
    .replace(':log_id', String(records['automations/logs']))
    .replace(':hub_user_id', String(records['vpn/hubs/users']))
    .replace(':device_id', String(records['devices']));
}

/** A path of the route that can be called: ids that nothing has, names that nobody uses. */
export function anyPath(route: RouteInfo): string {
  return route.path
    .replace(':id', String(UNKNOWN_ID))
    .replace(':device_id', String(UNKNOWN_ID))
    .replace(':channel', 'jobs.987654321')
    .replace(':index', '1')
    .replace(/:\w+/g, 'nothing');
}
