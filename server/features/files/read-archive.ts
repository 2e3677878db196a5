import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const BLOCK = 512;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_MEMBERS = 5000;
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_NAME = 300;

const unzip = promisify(gunzip);

/** A member of an archive: its text, or none when it is not text or too long. */
export interface Member {
  text: string | undefined;
  size: number;
  /** Hash of binary content, for comparing. */
  bytes: Buffer;
}

/** Text in UTF-8 without control characters other than line ends and tabs; undefined for anything else. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- These characters mark a binary file.
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

export function memberOf(bytes: Buffer): Member {
  return { text: textOf(bytes), size: bytes.length, bytes };
}

const cString = (bytes: Buffer): string => bytes.toString('utf8').replace(/\0.*$/s, '');

/** The path in a pax header, whose records are `<length> <key>=<value>\n`. */
function paxPath(bytes: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(bytes.toString('utf8'))?.[1];
}

/** A name as it is shown: a text, never a path that anything is opened by. */
function shownName(name: string): string {
  // Names come from devices.
  return name
    .replace(/\p{Cc}/gu, '\ufffd')
    .replace(/^(?:\.?\/)+/, '')
    .slice(0, MAX_NAME);
}

/**
 * The plain files of a tar.gz by their names, in memory and within limits: of what it unpacks to, and of members. Undefined for what is no such
 * archive, is broken, or is beyond them.
 */
export async function readArchive(packed: Buffer): Promise<Map<string, Member> | undefined> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return undefined;
  const bytes = await unzip(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).catch(() => undefined);
  if (!bytes) return undefined;
  const members = new Map<string, Member>();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    if (header.toString('latin1', 257, 262) !== 'ustar') return undefined;
    const size = Number.parseInt(cString(header.subarray(124, 136)).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0 || at + BLOCK + size > bytes.length) return undefined;
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    const kind = header.toString('latin1', 156, 157);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (kind === 'L') longName = cString(content);
    else if (kind === 'x') longName = paxPath(content) ?? longName;
    else {
      const prefix = cString(header.subarray(345, 500));
      const ownName = cString(header.subarray(0, 100));
      // GNU tar keeps times where ustar keeps the beginning of a path.
      const isPosix = header.toString('latin1', 262, 263) === '\0';
      const name = shownName(longName ?? (isPosix && prefix !== '' ? `${prefix}/${ownName}` : ownName));
      longName = undefined;
      if ((kind === '0' || kind === '\0') && name !== '') members.set(name, memberOf(content));
      if (members.size > MAX_MEMBERS) return undefined;
    }
  }
  return members;
}
