import { gunzipSync, gzipSync } from 'node:zlib';

const BLOCK = 512;
const MOST_BYTES = 4 * 1024 * 1024;

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(0, 100), 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Texts by their paths as a tar.gz. */
export function packTexts(files: ReadonlyMap<string, string>): Buffer {
  const parts = [...files].flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [headerOf(name, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/** The plain files of a tar.gz as texts by their paths; undefined when it is none. */
export function unpackTexts(archive: Buffer): Map<string, string> | undefined {
  let bytes: Buffer;
  try {
    bytes = gunzipSync(archive, { maxOutputLength: MOST_BYTES });
  } catch {
    return undefined;
  }
  const files = new Map<string, string>();
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const name = bytes.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    if (name === '') break;
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    if (!Number.isSafeInteger(size)) return undefined;
    const kind = bytes.toString('latin1', at + 156, at + 157);
    if (kind === '0' || kind === '\0') files.set(name.replace(/^\.?\//, ''), bytes.toString('utf8', at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
