import { send, type Answer, type Caller } from './as.ts';
import type { World } from './world.ts';

const BOUNDARY = 'canopy-test';

export interface Part {
  name: string;
  text: string | Buffer;
  fileName?: string;
}

/** A part with a file. */
export function filePart(text: string | Buffer, fileName: string): Part {
  return { name: 'file', text, fileName };
}

export function multipartHeaders(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
}

/** The bytes of a multipart body. */
export function multipartBody(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, text, fileName }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: application/octet-stream`,
    '\r\n\r\n',
    text,
    '\r\n',
  ]);
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

/** Posts parts to a path below `/api`. */
export function sendParts(world: World, caller: Caller, path: string, parts: readonly Part[]): Promise<Answer> {
  return send(world, 'POST', path, { body: multipartBody(parts), headers: multipartHeaders(caller.headers) });
}
