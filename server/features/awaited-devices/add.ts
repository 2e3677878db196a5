import type { Context } from '../../context.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit, type AuditEntry } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { hashProof } from '../../domain/devices/awaited.ts';
import { insertCustomValues } from '../../domain/devices/custom-fields.ts';
import { makeCredential } from '../../domain/devices/credentials.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDevice } from '../../domain/devices/present.ts';
import { deviceSearchText } from '../../domain/devices/search-text.ts';
import { NotFound } from '../../kernel/errors.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { CheckedDevice } from './rows.ts';

const CHUNK = 200;
type Company = { id: number; path: string; name: string };

/** Throws NOT_FOUND at the first file or tag that the actor does not see, or that is of another kind. */
async function assertChoices(
  ctx: Context,
  { actor }: Caller,
  rows: readonly CheckedDevice[],
  companies: ReadonlyMap<number, Company>,
): Promise<void> {
  for (const [field, types] of [
    ['firmware_file_id', ['firmware', 'global_firmware']],
    ['config_file_id', ['config', 'periodic_backup']],
  ] as const) {
    const ids = [...new Set(rows.flatMap((row) => row[field] ?? []))];
    if (ids.length === 0) continue;
    const found = await ctx.reads
      .selectFrom('files')
      .select('files.id')
      .where('files.id', 'in', ids)
      .where('files.type', 'in', types)
      .where(visibleFiles(actor))
      .execute();
    const known = new Set(found.map(({ id }) => id));
    const lost = rows.find((row) => row[field] !== undefined && !known.has(row[field]));
    if (lost) throw new NotFound({}, { source: `data.${lost.index}.${field}` });
  }
  const tagIds = [...new Set(rows.flatMap((row) => row.tag_id ?? []))];
  if (tagIds.length === 0) return;
  const tags = await ctx.reads
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .select(['tags.id', 'companies.path'])
    .where('tags.id', 'in', tagIds)
    .where(isVisible(actor, 'tags'))
    .execute();
  const holders = new Map(tags.map(({ id, path }) => [id, path]));
  for (const { company_id, tag_id = [], index } of rows)
    for (const [place, id] of tag_id.entries()) {
      const holder = holders.get(id);
      // A tag sits on devices of its company and of those below.
      if (holder === undefined || companies.get(company_id)?.path.startsWith(holder) !== true)
        throw new NotFound({}, { source: `data.${index}.tag_id.${place}` });
    }
}

function newDevice(ctx: Context, { company_id, serial, mac, imei, name }: CheckedDevice, at: number): NewRow<'devices'> {
  // Nobody has this password: a device that joins gets a credential of its own.
  const credential = makeCredential();
  return {
    company_id,
    device_key: credential.deviceKey,
    credential_hash: credential.hash,
    name,
    description: '',
    serial,
    mac,
    imei: imei || null,
    model: '',
    firmware: '',
    agent: '',
    os: '',
    hostname: '',
    is_simulated: 0,
    status: null,
    quarantine: null,
    failed_auth_reason: null,
    report_seconds: ctx.config.reportSeconds,
    search_text: deviceSearchText({ name, serial, mac, imei: imei || null }),
    enrolment_code_id: null,
    status_changed_at: at,
    created_at: at,
    updated_at: at,
  };
}

async function insertChunk(
  ctx: Context,
  trx: Trx,
  { actor }: Caller,
  rows: readonly CheckedDevice[],
  at: number,
): Promise<Row<'devices'>[]> {
  const devices = await trx
    .insertInto('devices')
    .values(rows.map((row) => newDevice(ctx, row, at)))
    .returningAll()
    .execute();
  const bySerial = new Map(devices.map((device) => [`${device.company_id} ${device.serial}`, device]));
  const pairs = rows.flatMap((row) => {
    const device = bySerial.get(`${row.company_id} ${row.serial}`);
    return device ? [{ row, device }] : [];
  });
  await trx
    .insertInto('awaited_devices')
    .values(
      pairs.map(({ row, device }) => ({
        device_id: device.id,
        series: row.device_series,
        firmware_file_id: row.firmware_file_id ?? null,
        config_file_id: row.config_file_id ?? null,
        proof_hash: row.password_confirmation ? hashProof(ctx, row.serial, row.password_confirmation) : null,
        user_id: actor.userId,
        actor_company_id: actor.companyId,
        user_name: actor.name,
        added_at: at,
        joined_at: null,
      })),
    )
    .execute();
  const tags = pairs.flatMap(({ row, device }) => (row.tag_id ?? []).map((tag_id) => ({ device_id: device.id, tag_id })));
  if (tags.length > 0) await trx.insertInto('device_tags').values(tags).execute();
  await insertCustomValues(
    trx,
    pairs.map(({ row: { fields, custom }, device: { id } }) => ({ id, fields, values: custom })),
  );
  return pairs.map(({ device }) => device);
}

/**
 * Adds devices that have not joined yet, in one transaction, in their order. Faults were reported before; a file or a tag that is not
 * there refuses all of them (NOT_FOUND at its place).
 */
export async function addAwaited(
  ctx: Context,
  caller: Caller,
  rows: readonly CheckedDevice[],
  companies: ReadonlyMap<number, Company>,
): Promise<number[]> {
  await assertChoices(ctx, caller, rows, companies);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const added: Row<'devices'>[] = [];
    for (let start = 0; start < rows.length; start += CHUNK)
      added.push(...(await insertChunk(ctx, trx, caller, rows.slice(start, start + CHUNK), at)));
    const rowOf = new Map(rows.map((row) => [`${row.company_id} ${row.serial}`, row]));
    const givenTo = ({ company_id, serial }: Row<'devices'>) => {
      const { tag_id = [], custom = {} } = rowOf.get(`${company_id} ${serial}`) ?? {};
      return { tag_id, custom };
    };
    await writeAudit(
      trx,
      { ...caller, at },
      added.map((device): AuditEntry => ({
        action: 'devices.new',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: null,
        after: { ...deviceHistory(device), ...givenTo(device) },
      })),
    );
    afterCommit(trx, () => {
      for (const device of added) {
        const company = companies.get(device.company_id);
        const { company_path: _path, ...payload } = presentDevice(device, {
          companyName: company?.name ?? '',
          companyPath: [],
          tags: [],
          custom: givenTo(device).custom,
        });
        ctx.live.publishBelow(company?.path ?? '', 'devices', 'DeviceAdded', payload);
      }
    });
    return added.map(({ id }) => id);
  });
}
