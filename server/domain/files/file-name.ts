import { formats } from '../../../schemas/kit/form/formats.ts';
import { englishText } from '../../../schemas/kit/form/messages.ts';
import type { FileType } from '../../db/file-tables.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { FileKind } from './errors.ts';

const FIRMWARE_ENDS = ['.bin', '.img', '.gz', '.itb', '.tar'];
// RUT9XX_R_00.06.00_WEBUI.bin → RUT9XX, 00.06.00
const VENDOR_FIRMWARE = /^([A-Za-z0-9]{2,20})_R_(?:GPL_)?(\d+(?:\.\d+){1,4})/;

export function isFirmware(type: FileType): boolean {
  return type === 'firmware' || type === 'global_firmware';
}

/** The name under which a file is kept, composed the same way on every system. Throws INVALID_FIELD or FILE_KIND at `file`. */
export function requireFileName(given: string, type: FileType): string {
  const name = given.normalize('NFC');
  const key = 'validation.format.file-name';
  if (!formats['file-name'].test(name)) throw new InvalidFields([{ source: 'file', message: englishText(key, {}), params: { key } }]);
  if (isFirmware(type) && !FIRMWARE_ENDS.some((end) => name.toLowerCase().endsWith(end)))
    throw new FileKind({ kinds: FIRMWARE_ENDS.join(', ') }, { source: 'file' });
  return name;
}

/** The model and version that a vendor writes into the name of a firmware; nulls where it says nothing. */
export function readFirmwareName(name: string, type: FileType): { device_model: string | null; version: string | null } {
  const [, model, version] = (isFirmware(type) ? VENDOR_FIRMWARE.exec(name) : undefined) ?? [];
  return { device_model: model ?? null, version: version ?? null };
}
