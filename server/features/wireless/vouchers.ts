import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { FormData, HotspotVoucher } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { momentOf } from '../../kernel/moments.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import type { HotspotAccount } from './hotspot-kind.ts';

type VoucherRow = Row<'hotspot_vouchers'>;
type Found = VoucherRow & { company_name: string; devices_count: number };

/** Without those that look alike. */
const CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;
/** What the codes of a set are sealed for. */
export const VOUCHERS_PURPOSE = 'hotspot vouchers';

const columns: ListColumns = {
  id: sql.ref('hotspot_vouchers.id'),
  sorts: {
    id: { by: sql.ref('hotspot_vouchers.id') },
    name: byText('hotspot_vouchers.name'),
    company_name: byText('companies.name'),
    ends_at: { by: sql.ref('hotspot_vouchers.ends_at'), isNullable: true },
    created_at: { by: sql.ref('hotspot_vouchers.created_at') },
  },
  filters: { company_id: (values) => isWithin(sql.ref('hotspot_vouchers.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('hotspot_vouchers.name'), sql.ref('hotspot_vouchers.ssid')], text),
};

const devicesOf = (actor: Actor) =>
  sql<number>`(select count(*) from hotspot_voucher_devices inner join devices on devices.id = hotspot_voucher_devices.device_id
    where hotspot_voucher_devices.voucher_id = hotspot_vouchers.id and ${isVisible(actor, 'devices')})`;

const visibleVouchers = (db: Db, actor: Actor) =>
  db
    .selectFrom('hotspot_vouchers')
    .innerJoin('companies', 'companies.id', 'hotspot_vouchers.company_id')
    .where(isVisible(actor, 'hotspot_vouchers'));

function findVouchers(db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> {
  return visibleVouchers(db, actor)
    .selectAll('hotspot_vouchers')
    .select(['companies.name as company_name', devicesOf(actor).as('devices_count')])
    .where('hotspot_vouchers.id', 'in', ids)
    .execute();
}

async function requireVoucher(db: Db, actor: Actor, id: number): Promise<Found> {
  const [row] = await findVouchers(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

function present(ctx: Pick<Context, 'clock'>, row: Found): HotspotVoucher {
  const { sealed_codes: _codes, devices_count, revoked_at, ends_at, created_at, ...rest } = row;
  const isOver = ends_at !== null && ends_at <= ctx.clock.now();
  return {
    ...rest,
    state: revoked_at !== null ? 'revoked' : isOver ? 'expired' : 'active',
    devices_count: Number(devices_count),
    ends_at: wireTime(ends_at),
    created_at: wireTime(created_at),
  };
}

const SHOWN_OF_CODE = 2;

/** How this actor is shown names of accounts of a device: codes of vouchers are cut for those who may not change hotspots. */
export async function namesForActor(ctx: Context, actor: Actor, deviceId: number): Promise<(name: string) => string> {
  if (can(actor, 'update_device_hotspots')) return (name) => name;
  const rows = await ctx.reads
    .selectFrom('hotspot_vouchers')
    .innerJoin('hotspot_voucher_devices', 'hotspot_voucher_devices.voucher_id', 'hotspot_vouchers.id')
    .selectAll('hotspot_vouchers')
    .where('hotspot_voucher_devices.device_id', '=', deviceId)
    .execute();
  const codes = new Set(rows.flatMap((row) => codesOf(ctx, row)));
  return (name) => (codes.has(name) ? `${name.slice(0, SHOWN_OF_CODE)}${'•'.repeat(CODE_LENGTH - SHOWN_OF_CODE)}` : name);
}

/** One page of the vouchers of companies that the actor sees. */
export async function listVouchers(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: HotspotVoucher[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleVouchers(ctx.reads, actor).select('hotspot_vouchers.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  return { rows: inOrderOf(ids, await findVouchers(ctx.reads, actor, ids)).map((row) => present(ctx, row)), total };
}

/** One set of vouchers. Throws NOT_FOUND. */
export async function getVoucher(ctx: Context, actor: Actor, id: number): Promise<HotspotVoucher> {
  return present(ctx, await requireVoucher(ctx.reads, actor, id));
}

function makeCodes(amount: number): string[] {
  const codes = new Set<string>();
  while (codes.size < amount) codes.add(Array.from({ length: CODE_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(''));
  return [...codes];
}

const codesOf = (ctx: Pick<Context, 'secretKey'>, row: VoucherRow): string[] =>
  // Only `addVouchers` writes the column.
  JSON.parse(openSealed(ctx.secretKey, VOUCHERS_PURPOSE, row.sealed_codes)) as string[];

/** The codes of a set, to be printed. Throws NOT_FOUND. */
export async function readCodes(ctx: Context, actor: Actor, id: number): Promise<string[]> {
  return codesOf(ctx, await requireVoucher(ctx.reads, actor, id));
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  verb: string,
  at: number,
  rows: readonly [VoucherRow | null, VoucherRow | null],
) {
  const [before, after] = rows.map((row) => {
    if (!row) return null;
    const { sealed_codes: _codes, ...rest } = row;
    return rest;
  });
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `hotspots.${verb}`,
    entity: 'hotspot_voucher',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before ?? null, after: after ?? null }]);
}

/** Makes a set of vouchers for hotspots of these devices. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD for devices of other companies or an end in the past. */
export function addVouchers(ctx: Context, caller: Caller, input: FormData['hotspots/new-vouchers']) {
  const at = ctx.clock.now();
  const ends_at = input.ends_at === undefined || input.ends_at === null ? null : momentOf(input.ends_at);
  if (ends_at !== null && ends_at <= at)
    throw new InvalidFields([{ source: 'ends_at', message: 'Choose a time in the future.', params: { key: 'forms.hotspots.past' } }]);
  return withUniqueName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
      const devices = await trx
        .selectFrom('devices')
        .innerJoin('companies', 'companies.id', 'devices.company_id')
        .select(['devices.id', 'devices.name', 'companies.path'])
        .where('devices.id', 'in', input.device_id)
        .where(isVisible(caller.actor, 'devices'))
        .execute();
      if (devices.length < new Set(input.device_id).size) throw new NotFound({}, { source: 'device_id' });
      const foreign = devices.find(({ path }) => !path.startsWith(company.path));
      if (foreign)
        throw new InvalidFields([
          {
            source: 'device_id',
            message: `"${foreign.name}" belongs to another company.`,
            params: { key: 'forms.hotspots.foreign', device: foreign.name },
          },
        ]);
      const codes = makeCodes(input.amount);
      const values = {
        company_id: company.id,
        name: input.name,
        ssid: input.ssid ?? '',
        amount: input.amount,
        minutes: input.minutes ?? 0,
        megabytes: input.megabytes ?? 0,
        ends_at,
        sealed_codes: sealText(ctx.secretKey, VOUCHERS_PURPOSE, JSON.stringify(codes)),
        revoked_at: null,
        created_at: at,
      };
      const row = await trx.insertInto('hotspot_vouchers').values(values).returningAll().executeTakeFirstOrThrow();
      await trx
        .insertInto('hotspot_voucher_devices')
        .values(devices.map(({ id }) => ({ voucher_id: row.id, device_id: id })))
        .execute();
      await record(trx, caller, 'new-vouchers', at, [null, row]);
      return { id: row.id, devices: devices.map(({ id }) => id), accounts: accountsOf(row, codes) };
    }),
  );
}

const accountsOf = ({ minutes, megabytes, ends_at }: VoucherRow, codes: readonly string[]): HotspotAccount[] =>
  codes.map((code) => ({ name: code, password: code, minutes, megabytes, ends_at }));

/** Marks a set as revoked; answers its codes and the devices that the actor sees, from which they are to be removed. Throws NOT_FOUND. */
export async function revokeVouchers(ctx: Context, caller: Caller, id: number): Promise<{ codes: string[]; devices: number[] }> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, devices_count: _count, ...before } = await requireVoucher(trx, caller.actor, id);
    const after = await trx
      .updateTable('hotspot_vouchers')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'revoke-vouchers', at, [before, after]);
    const devices = await trx
      .selectFrom('hotspot_voucher_devices')
      .innerJoin('devices', 'devices.id', 'hotspot_voucher_devices.device_id')
      .select('devices.id')
      .where('hotspot_voucher_devices.voucher_id', '=', id)
      .where(isVisible(caller.actor, 'devices'))
      .execute();
    return { codes: codesOf(ctx, before), devices: devices.map((device) => device.id) };
  });
}

/** Deletes a set that was revoked or has ended. Throws NOT_FOUND, INVALID_FIELD for one that is in use. */
export async function removeVouchers(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const found = await requireVoucher(trx, caller.actor, id);
    if (present(ctx, found).state === 'active')
      throw new InvalidFields([{ source: 'id', message: 'Revoke the vouchers first.', params: { key: 'forms.hotspots.active' } }]);
    const { company_name: _name, devices_count: _count, ...before } = found;
    await trx.deleteFrom('hotspot_vouchers').where('id', '=', id).execute();
    await record(trx, caller, 'remove-vouchers', at, [before, null]);
  });
}
