import type { ByteRange } from '../../edges/files/types.ts';

// What RFC 8187 leaves as it is.
const PLAIN = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/** `content-disposition` of a download: an ASCII name for old programs, the real one as RFC 6266 has it. Nothing of the name can end the header. */
export function attachmentOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]+/g, '')
    .replace(/["\\%;]/g, '_')
    .trim();
  const ascii = /^(?:\.|$)/.test(plain) ? `download${plain}` : plain;
  const encoded = [...new TextEncoder().encode(name)]
    .map((byte) => String.fromCharCode(byte).replace(PLAIN, () => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Whether one of the tags of an `if-none-match` or `if-range` header is this one. */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((part) => part.trim() === tag || part.trim() === '*');
}

/**
 * The part that a `range` header asks for (RFC 9110, 14.2): `undefined` for the whole, also when it asks for several parts or is no range of
 * bytes; `unsatisfiable` when nothing of it is in the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
