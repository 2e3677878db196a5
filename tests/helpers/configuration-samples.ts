import { CHANGE_SET_PURPOSE } from '../../server/features/device-api/change-sets.ts';
import { sealText } from '../../server/kernel/seal.ts';
import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** A configuration template that a device follows, and a variable of the company. */
export async function makeConfigurationRecords(
  world: World,
  { company, device, marker }: Pick<SamplePlace, 'company' | 'device' | 'marker'>,
) {
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
