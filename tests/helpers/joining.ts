import { expect } from 'vitest';
import { as, send } from './as.ts';
import { makeEnrolmentCode } from './factories.ts';
import type { World } from './world.ts';

interface Place {
  id: number;
  path: string;
}

/** Every device with the path of its company, by id. */
async function readDevices({ ctx: { db } }: World) {
  return db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select([
      'devices.id',
      'devices.serial',
      'devices.mac',
      'devices.company_id',
      'devices.device_key',
      'devices.quarantine',
      'companies.path',
    ])
    .orderBy('devices.id')
    .execute();
}

/**
 * A device joins `company` under the serial number of `label`, and under its MAC with `isSame`, with `marker` in its name. Expects that only
 * namesakes of that company and below make it wait, and that nothing is added to what is kept of devices of other companies. Answers its id.
 */
export async function joinAsNamesake(
  world: World,
  company: Place,
  { label, mac, marker }: { label: { serial: string; mac: string }; mac: string | undefined; marker: string },
): Promise<number> {
  const before = await readDevices(world);
  const events = () => world.ctx.db.selectFrom('device_events').select('device_id').where('company_id', '<>', company.id).execute();
  const eventsBefore = await events();
  const { code } = await makeEnrolmentCode(world, { company, name_prefix: `${marker}-` });
  const identity = { serial: label.serial, mac: mac ?? label.mac };
  const { status, data } = await send(world, 'POST', '/enrol', { body: { code, ...identity } });
  expect(status).toBe(201);
  const after = await readDevices(world);
  const joined = after.find((device) => device.device_key === data.device_key);
  const namesakes = before.filter((device) => device.serial === identity.serial && device.path.startsWith(company.path));
  const isAgain = namesakes.some((device) => device.company_id === company.id && device.mac === identity.mac);
  const expected = namesakes.length === 0 ? null : isAgain ? 'rejoin' : 'duplicate_serial';
  expect(joined).toMatchObject({ company_id: company.id, quarantine: expected });
  expect(after.filter((device) => device !== joined)).toEqual(before);
  expect(await events()).toEqual(eventsBefore);
  return joined?.id ?? 0;
}

/** An administrator of its company accepts a waiting device. Expects that no device of another company is changed by it. */
export async function acceptAnywhere(world: World, deviceId: number): Promise<void> {
  const before = await readDevices(world);
  const device = before.find(({ id }) => id === deviceId);
  if (!device?.path.startsWith('/')) return;
  const admin = await as(world, 'admin', { company: { id: device.company_id } });
  const answer = await admin.put(`/devices/${deviceId}/quarantine`, { decision: 'accept' });
  const after = await readDevices(world);
  const others = ({ company_id }: { company_id: number }): boolean => company_id !== device.company_id;
  expect(after.filter(others)).toEqual(before.filter(others));
  if (device.quarantine === null) expect(answer.codes).toEqual(['NOT_QUARANTINED']);
  else
    expect(after.find(({ id }) => id === answer.data.id)).toMatchObject({ device_key: device.device_key, company_id: device.company_id });
}
