import type { Context } from '../../context.ts';
import type { Changes, Row, Trx } from '../../db/schema.ts';
import { deriveToken } from '../../kernel/auth/tokens.ts';
import type { Credential } from './credentials.ts';
import { deviceSearchText } from './search-text.ts';

/** What is kept of the password that proves whose a device is: useless without the key of the installation, and for any other serial number. */
export function hashProof({ secretKey }: Pick<Context, 'secretKey'>, serial: string, password: string): string {
  return deriveToken(secretKey, 'device-proof', JSON.stringify([serial, password]));
}

export interface Joining {
  serial: string;
  mac: string;
  imei: string | null;
  model: string;
  firmware: string;
  name: string;
  agent: string;
  isSimulated: boolean;
}

/** Whether somebody who joins is the device that was added ahead: by the MAC that was given, or by the IMEI where none was. */
export function isExpected(device: Pick<Row<'devices'>, 'mac' | 'imei'>, { mac, imei }: Pick<Joining, 'mac' | 'imei'>): boolean {
  return device.mac === '' ? device.imei !== null && device.imei === imei : device.mac === mac;
}

/** Of these devices the one that was added ahead, has not joined yet, and is the one that joins now. */
export async function findAwaited(trx: Trx, devices: readonly Row<'devices'>[], newcomer: Joining): Promise<Row<'devices'> | undefined> {
  const fitting = devices.filter((device) => isExpected(device, newcomer));
  if (fitting.length === 0) return undefined;
  const awaited = await trx
    .selectFrom('awaited_devices')
    .select('device_id')
    .where(
      'device_id',
      'in',
      fitting.map(({ id }) => id),
    )
    .where('joined_at', 'is', null)
    .executeTakeFirst();
  return fitting.find(({ id }) => id === awaited?.device_id);
}

/** The device that joins takes the record that was made for it ahead, with its name and tags. Gives the record as it is then. */
export async function takeAwaited(
  trx: Trx,
  device: Row<'devices'>,
  { newcomer, credential, codeId, at }: { newcomer: Joining; credential: Credential; codeId: number | null; at: number },
): Promise<Row<'devices'>> {
  const { mac, imei, model, firmware, agent } = newcomer;
  const changes = {
    device_key: credential.deviceKey,
    credential_hash: credential.hash,
    mac,
    imei: imei ?? device.imei,
    model,
    firmware,
    agent,
    hostname: newcomer.name,
    is_simulated: newcomer.isSimulated ? 1 : 0,
    enrolment_code_id: codeId,
    updated_at: at,
  } satisfies Changes<'devices'>;
  const search_text = deviceSearchText({ ...device, ...changes });
  await trx.updateTable('awaited_devices').set({ joined_at: at }).where('device_id', '=', device.id).execute();
  return trx
    .updateTable('devices')
    .set({ ...changes, search_text })
    .where('id', '=', device.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
