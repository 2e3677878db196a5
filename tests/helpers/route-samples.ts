import type { RouteInfo } from '../../server/kernel/route.ts';
import { makeAutomationRecords } from './automation-samples.ts';
import { makeConfigurationRecords } from './configuration-samples.ts';
import { makeDevice, makeEnrolmentCode, makeFile, makeRemovedDevice, makeRole, makeTag, makeUser } from './factories.ts';
import { makeMailRecords } from './mail-samples.ts';
import { makeMonitoringRecords } from './monitoring-samples.ts';
import { makeHotspots, makeVpn } from './network-samples.ts';
import { makePlaceRecords } from './place-samples.ts';
import { makeRemoteRecords } from './remote-samples.ts';
import { makePasswordRecords, makeTaskRecords } from './task-samples.ts';
import { makeAccessToken, makeApplication, makeServiceAccount } from './token-factories.ts';
import { makeUpkeepRecords } from './upkeep-samples.ts';
import { makeViewRecords } from './view-samples.ts';
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
  const vpn = await makeVpn(world, company.id, marker, now);
  const hotspots = await makeHotspots(world, { company, device, marker });
  const remote = await makeRemoteRecords(world, { company, device, user, tag, marker });
  const templates = await makeConfigurationRecords(world, { company, device, marker });
  const note = await world.ctx.db
    .insertInto('device_notes')
    .values({ device_id: device.id, user_id: user.id, user_name: marker, text: marker, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const removed = await makeRemovedDevice(world, { company, name: `${marker}-removed` });
  const place = { company, user, device, marker };
  return {
    ...(await makeAutomationRecords(world, place)),
    ...(await makeViewRecords(world, place)),
    ...(await makeMonitoringRecords(world, place)),
    ...(await makeMailRecords(world, place)),
    ...(await makeUpkeepRecords(world, place)),
    ...(await makePlaceRecords(world, place)),
    ...tasks,
    ...passwords,
    ...templates,
    'devices/notes': note.id,
    ...vpn,
    ...hotspots,
    ...remote,
    users: user.id,
    'users/impersonation': UNKNOWN_ID,
    tags: tag.id,
    'tags/actions': action.id,
    'devices/tags': tag.id,
    'devices/companies': company.id,
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
    'email-templates': company.id * 1000 + 10,
  };
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
