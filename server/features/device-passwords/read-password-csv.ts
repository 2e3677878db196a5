import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { AppError } from '../../kernel/errors.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { isRoundedNumber, sheetColumnOf, withoutApostrophe } from '../../../schemas/kit/text/separated-text.ts';
import { readSeparated } from '../../kernel/read-separated.ts';
import { FileTooLarge } from '../../kernel/http/uploads.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import {
  CsvDeviceAgain,
  CsvDeviceTwice,
  CsvDeviceUnknown,
  CsvNoPassword,
  CsvNumberRounded,
  CsvPasswordUnfit,
  CsvTooLong,
} from './errors.ts';
import { isFit } from './password-rules.ts';

/** How devices are named in the file; `either` is decided line by line. */
export type Identifier = 'serial' | 'mac' | 'either';

interface PasswordLine {
  /** In the file, from 1. */
  line: number;
  device: string;
  password: string;
}

const MAX_LINES = 10_000;
export const MAX_CSV_BYTES = 2 * 1024 * 1024;
const CHUNK = 500;
// 001e42abcdef · 00-1E-42-AB-CD-EF · 00:1E:42:AB:CD:EF
const MAC = /^(?:[0-9a-f]{12}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5})$/i;

/** Reads lines such as `1106433012,Xk3…`: the device, then its password. Throws FILE_TOO_LARGE, CSV_TOO_LONG, TOO_MANY_COLUMNS, NOT_UNICODE, NOT_A_TABLE at `file`. */
async function readLines(upload: { path: string; size: number }): Promise<PasswordLine[]> {
  if (upload.size > MAX_CSV_BYTES) throw new FileTooLarge({ size: '2 MB' }, { source: 'file' });
  const { rows } = await readSeparated(upload.path, MAX_LINES + 1);
  if (rows.length > MAX_LINES) throw new CsvTooLong({ max: MAX_LINES }, { source: 'file' });
  return rows.flatMap(([cell = '', password = ''], index) => {
    const device = withoutApostrophe(cell);
    if (device === '' || (index === 0 && sheetColumnOf(device) !== undefined)) return [];
    return [{ line: index + 1, device, password: password.trim() }];
  });
}

async function findDevices(ctx: Context, actor: Actor, key: 'serial' | 'mac', names: readonly string[]) {
  const rows: { id: number; model: string; firmware: string; key: string }[] = [];
  for (let start = 0; start < names.length; start += CHUNK)
    rows.push(
      ...(await ctx.reads
        .selectFrom('devices')
        .select(['id', 'model', 'firmware', `${key} as key`])
        .where(key, 'in', names.slice(start, start + CHUNK))
        .where(isVisible(actor, 'devices'))
        .execute()),
    );
  return Map.groupBy(rows, (row) => row.key);
}

/**
 * The passwords of a list, by the id of the device, and a fault for each line that is left out. A fault never repeats what was given as a password.
 * Throws FILE_TOO_LARGE, CSV_TOO_LONG, TOO_MANY_COLUMNS, NOT_UNICODE, NOT_A_TABLE at `file`.
 */
export async function readPasswordCsv(
  ctx: Context,
  actor: Actor,
  upload: { path: string; size: number },
  identifier: Identifier,
): Promise<{ passwords: Map<number, string>; faults: ErrorItem[] }> {
  const lines = (await readLines(upload)).map((line) => {
    const isMac = identifier === 'mac' || (identifier === 'either' && MAC.test(line.device));
    return {
      ...line,
      key: isMac ? ('mac' as const) : ('serial' as const),
      name: (isMac ? normalizeMac(line.device) : undefined) ?? line.device,
    };
  });
  const namesBy = (key: 'serial' | 'mac') => [...new Set(lines.filter((line) => line.key === key).map((line) => line.name))];
  const found = {
    serial: await findDevices(ctx, actor, 'serial', namesBy('serial')),
    mac: await findDevices(ctx, actor, 'mac', namesBy('mac')),
  };
  const passwords = new Map<number, string>();
  const faults: ErrorItem[] = [];
  for (const { line, key, name, password } of lines) {
    const place = { source: `file.${line}` };
    const refuse = (fault: AppError): void => void faults.push(...fault.items);
    const [device, another] = found[key].get(name) ?? [];
    const said = { line, device: name.slice(0, 64) };
    if (isRoundedNumber(name)) refuse(new CsvNumberRounded(said, place));
    else if (!device) refuse(new CsvDeviceUnknown(said, place));
    else if (another) refuse(new CsvDeviceTwice(said, place));
    else if (password === '') refuse(new CsvNoPassword({ line }, place));
    else if (passwords.has(device.id)) refuse(new CsvDeviceAgain(said, place));
    else if (!isFit(password, device)) refuse(new CsvPasswordUnfit(said, place));
    else passwords.set(device.id, password);
  }
  return { passwords, faults };
}
