import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Where the script that fills sign-in forms is, at the host of each page. */
export const LOGIN_SCRIPT = '/__canopy/login.js';

const LOOKED_AT = 4096;
const BOM = '\u00ef\u00bb\u00bf';
const DESTINATIONS = new Set(['document', 'iframe', 'frame']);

/** A request for a document; without the header, which browsers send over https and to localhost, what it accepts says so. */
export function asksForDocument(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'];
  return typeof destination === 'string' ? DESTINATIONS.has(destination) : (headers.accept ?? '').includes('text/html');
}

/** A whole HTML document in an encoding of which ASCII is a part. */
export function isDocument({ statusCode = 0, headers }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(type) && !/utf-?(16|32)/i.test(type) && statusCode !== 206 && statusCode !== 304;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body of an answer as it was before it was compressed; undefined for a way that is not known. */
export function decoded(answer: IncomingMessage): Readable | undefined {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const decoder = DECODERS[encoding]?.();
  if (!decoder) return undefined;
  answer.on('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
}

/** Behind `<head>`, or as far in front as scripts may be; undefined: more is needed to know. */
function placeIn(text: string, isAll: boolean): number | undefined {
  let behind = text.startsWith(BOM) ? BOM.length : 0;
  // A comment, or the start of a tag: `<!-- <head> -->`, `<!doctype html>`, `<html lang="en">`.
  for (const found of text.matchAll(/<!--[\s\S]*?-->|<(!doctype|html|head)(?:\s[^>]*)?>/gi)) {
    if (found[1] === undefined) continue;
    behind = found.index + found[0].length;
    if (found[1].toLowerCase() === 'head') return behind;
  }
  return isAll || text.length >= LOOKED_AT ? behind : undefined;
}

/** Adds a tag to a document as it passes. */
export function addTag(tag: string): Transform {
  let held: string | undefined = '';
  const give = (isAll: boolean): Buffer | undefined => {
    if (held === undefined) return undefined;
    const at = placeIn(held, isAll);
    if (at === undefined) return undefined;
    const text = held.slice(0, at) + tag + held.slice(at);
    held = undefined;
    return Buffer.from(text, 'latin1');
  };
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      if (held === undefined) return done(null, chunk);
      held += chunk.toString('latin1');
      return done(null, give(false));
    },
    flush(done: TransformCallback) {
      done(null, give(true));
    },
  });
}

/** A content security policy (several, joined by commas) that allows one script more: by its address, or by a nonce where addresses do not count. */
export function allowScript(policy: string, address: string, nonce: string): string {
  const allowed = policy.split(',').map((one) => {
    const lines = one
      .split(';')
      .map((line) => line.trim().split(/\s+/))
      .filter(([name]) => name !== '');
    const line = ['script-src-elem', 'script-src', 'default-src']
      .map((wanted) => lines.find(([name]) => name?.toLowerCase() === wanted))
      .find((found) => found !== undefined);
    if (!line) return one;
    const [name = '', ...sources] = line;
    const kept = sources.filter((source) => source.toLowerCase() !== "'none'");
    const more = [...kept, kept.includes("'strict-dynamic'") ? `'nonce-${nonce}'` : address];
    const isOwn = name.toLowerCase() !== 'default-src';
    const rest = isOwn ? lines.filter((other) => other !== line) : lines;
    return [...rest, [isOwn ? name : 'script-src-elem', ...more]].map((words) => words.join(' ')).join('; ');
  });
  return allowed.join(', ');
}
