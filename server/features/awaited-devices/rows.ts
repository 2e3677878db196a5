import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CustomValues } from '../../../schemas/kit/devices/custom-fields.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { customCheck, fieldsOnPath, presentValues, type GivenValues, type OwnedField } from '../../domain/devices/custom-fields.ts';
import type { Actor } from '../../kernel/actor.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { isRoundedNumber, withoutApostrophe } from '../../../schemas/kit/text/separated-text.ts';

export const SERIES = ['rut', 'trb', 'tcr', 'tap', 'otd', 'swm'] as const;
export type Series = (typeof SERIES)[number];

/** A device as somebody adds it ahead, as it was typed. */
export interface NewDevice {
  company_id: number;
  device_series: string;
  serial: string;
  mac?: string;
  imei?: string;
  name?: string;
  firmware_file_id?: number;
  config_file_id?: number;
  /** The device's own password, as proof of whose it is. */
  password_confirmation?: string;
  tag_id?: number[];
  /** What its custom fields hold. */
  custom?: GivenValues;
  /** A management credit is reserved for it, and extended by itself later. */
  auto_credit_enable?: boolean;
}

/** The same, checked and in the form that it is kept in. */
export interface CheckedDevice extends Omit<NewDevice, 'custom'> {
  /** Its place in the list that was sent, from 0. */
  index: number;
  device_series: Series;
  /** Empty where the series goes by the IMEI and none was given. */
  mac: string;
  imei: string;
  name: string;
  custom: CustomValues;
  /** The custom fields of its company. */
  fields: readonly OwnedField[];
}

/** The custom fields of a company, and what judges their values. */
interface CompanyFields {
  fields: readonly OwnedField[];
  check: ReturnType<typeof customCheck>;
}

const SERIAL = /^[A-Za-z0-9._-]{1,64}$/;
const IMEI = /^\d{14,17}$/;
const NAME = /^(?!\s)[^`\\/:*?"<>|'\p{C}]{1,100}(?<!\s)$/u;
const CHUNK = 500;

export interface Fault {
  code: 'INVALID_FIELD';
  source: string;
  message: string;
  params: NonNullable<ErrorItem['params']>;
}
type Field = 'device_series' | 'serial' | 'mac' | 'imei' | 'name';

/** What is wrong with a field, by the key of its words. */
function fault(index: number, field: Field, key: string, message: string): Fault {
  return { code: 'INVALID_FIELD', source: `data.${index}.${field}`, message, params: { key: `devices.new.${key}` } };
}

const rounded = (index: number, field: Field): Fault =>
  fault(index, field, 'rounded', 'A spreadsheet has rounded this number: format the column as text, and enter it again.');

function read(row: NewDevice, index: number, { fields, check }: CompanyFields, faults: Fault[]): CheckedDevice | undefined {
  const before = faults.length;
  const series = SERIES.find((one) => one === row.device_series.trim().toLowerCase());
  if (!series) faults.push(fault(index, 'device_series', 'series', `Use one of ${SERIES.join(', ')}.`));
  const serial = withoutApostrophe(row.serial);
  if (isRoundedNumber(serial)) faults.push(rounded(index, 'serial'));
  else if (!SERIAL.test(serial)) faults.push(fault(index, 'serial', 'serial', 'Use 1 to 64 of A-Z a-z 0-9 . _ -'));
  const typedMac = row.mac?.trim() ?? '';
  const mac = typedMac === '' ? '' : normalizeMac(typedMac);
  const typedImei = withoutApostrophe(row.imei ?? '');
  const imei = typedImei.replace(/[\s-]/g, '');
  if (mac === undefined) faults.push(fault(index, 'mac', 'mac', 'Use six hex pairs, such as 00:1E:42:AB:CD:EF.'));
  if (mac === '' && series !== undefined && series !== 'trb')
    faults.push(fault(index, 'mac', 'mac_missing', 'Devices of this series are known by their MAC.'));
  if (isRoundedNumber(typedImei)) faults.push(rounded(index, 'imei'));
  else if (imei !== '' && !IMEI.test(imei)) faults.push(fault(index, 'imei', 'imei', 'An IMEI has 14 to 17 digits.'));
  if (imei === '' && series === 'trb') faults.push(fault(index, 'imei', 'imei_missing', 'Devices of this series are known by their IMEI.'));
  const name = row.name?.trim() || serial;
  if (row.name?.trim() && !NAME.test(name))
    faults.push(fault(index, 'name', 'name', 'This name is too long or has characters that are not allowed.'));
  const custom = presentValues(row.custom ?? {});
  // As with changes of devices: what a company requires is asked for when custom fields are sent.
  if (row.custom)
    for (const { source, message, params = {} } of check(custom, `data.${index}.custom`))
      faults.push({ code: 'INVALID_FIELD', source, message, params });
  if (faults.length > before || !series || mac === undefined) return undefined;
  return { ...row, index, device_series: series, serial, mac, imei, name, custom, fields };
}

/** Serial numbers that a company, or one below it, knows already, as far as the actor sees that, as `<company> <serial>`. */
async function findKnown(ctx: Context, actor: Actor, rows: readonly CheckedDevice[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const [companyId, group] of Map.groupBy(rows, (row) => row.company_id))
    for (let start = 0; start < group.length; start += CHUNK) {
      const serials = group.slice(start, start + CHUNK).map(({ serial }) => serial);
      const found = await ctx.reads
        .selectFrom('devices')
        .select('serial')
        .where('serial', 'in', serials)
        .where(isVisible(actor, 'devices'))
        // The plus keeps SQLite from going through all devices of the company in place of the serial numbers.
        .where(isWithin(sql`+devices.company_id`, [companyId]))
        .execute();
      for (const { serial } of found) known.add(`${companyId} ${serial}`);
      await nextTurn();
    }
  return known;
}

/**
 * Says of each device whether it can be added: the good ones in their final form, and the faults of the others at `data.<index>.<field>`. The caller has
 * checked that the actor sees the companies, which are here by their ids.
 */
export async function checkRows(
  ctx: Context,
  actor: Actor,
  rows: readonly NewDevice[],
  companies: ReadonlyMap<number, { path: string }>,
): Promise<{ good: CheckedDevice[]; faults: Fault[] }> {
  const faults: Fault[] = [];
  const byCompany = new Map<number, CompanyFields>();
  for (const [id, { path }] of companies) {
    const fields = await fieldsOnPath(ctx.reads, path);
    byCompany.set(id, { fields, check: customCheck(fields) });
  }
  const wellFormed = rows.flatMap((row, index) => {
    const company = byCompany.get(row.company_id);
    return company ? (read(row, index, company, faults) ?? []) : [];
  });
  const known = await findKnown(ctx, actor, wellFormed);
  const serials = new Map<string, number>();
  const macs = new Map<string, number>();
  const good: CheckedDevice[] = [];
  for (const row of wellFormed) {
    const twice = serials.get(row.serial);
    const sameMac = row.mac === '' ? undefined : macs.get(row.mac);
    if (twice === undefined) serials.set(row.serial, row.index);
    if (row.mac !== '' && sameMac === undefined) macs.set(row.mac, row.index);
    if (known.has(`${row.company_id} ${row.serial}`))
      faults.push(fault(row.index, 'serial', 'known', 'A device with this serial number is there already.'));
    else if (twice !== undefined) faults.push(fault(row.index, 'serial', 'twice', `This serial number is already in line ${twice + 1}.`));
    else if (sameMac !== undefined)
      faults.push(fault(row.index, 'mac', 'mac_twice', `This MAC address is already in line ${sameMac + 1}.`));
    else good.push(row);
  }
  return { good, faults };
}
