import { randomInt } from 'node:crypto';
import { compareVersions, deviceCapabilities } from '../../../schemas/kit/devices/device-capabilities.ts';

const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const LOWER = 'abcdefghijkmnopqrstuvwxyz';
const DIGITS = '23456789';
// None that shells, CSV readers or spreadsheets take for something else.
const SPECIAL = '!#%*+-./:?@^_~';

const SPECIAL_FROM: readonly number[] = [7, 13];

interface Rules {
  /** At least one capital letter, one small letter and one digit. */
  isMixed: boolean;
  needsSpecial: boolean;
}

/** What the firmware of a device asks of passwords beside 8 to 32 characters: the vendor's from 07.13 on also a special one; of unknown makes nothing is known. */
export function rulesOf(device: { model: string; firmware: string }): Rules {
  const { device_series, fw_version } = deviceCapabilities(device);
  const isKnown = device_series !== undefined;
  return { isMixed: isKnown, needsSpecial: isKnown && fw_version !== undefined && compareVersions(fw_version, SPECIAL_FROM) >= 0 };
}

/** Whether a device takes this password. */
export function isFit(password: string, device: { model: string; firmware: string }): boolean {
  const { isMixed, needsSpecial } = rulesOf(device);
  if (!/^[!-~]{8,32}$/.test(password)) return false;
  if (isMixed && !(/[A-Z]/.test(password) && /[a-z]/.test(password) && /\d/.test(password))) return false;
  return !needsSpecial || /[^A-Za-z0-9]/.test(password);
}

const pick = (characters: string): string => characters.charAt(randomInt(characters.length));

/** A random password of so many characters with at least one of each kind, a letter first; a special one also where the device asks for it. */
export function generatePassword(
  { length, special }: { length: number; special: boolean },
  device: { model: string; firmware: string },
): string {
  const kinds = [UPPER, LOWER, DIGITS, ...(special || rulesOf(device).needsSpecial ? [SPECIAL] : [])];
  const characters = kinds.map(pick);
  while (characters.length < length) characters.push(pick(kinds.join('')));
  // The first stays a letter: spreadsheets take what begins with = + - @ for a formula.
  for (let last = characters.length - 1; last > 1; last -= 1) {
    const other = 1 + randomInt(last);
    [characters[last], characters[other]] = [characters[other] ?? '', characters[last] ?? ''];
  }
  return characters.join('');
}
