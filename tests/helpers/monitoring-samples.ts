import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** A monitoring template that a device has, with what it reported. */
export async function makeMonitoringRecords(world: World, { company, device, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const template = await db
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
  const assignment = await db
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
  await db
    .insertInto('monitoring_reports')
    .values({ template_id: template.id, device_id: device.id, company_id: company.id, at: now, data: '{}', log: JSON.stringify([marker]) })
    .execute();
  await db
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
  return {
    'data-collect/configs': template.id,
    'data-collect/assignments': assignment.id,
  };
}
