import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { itemOf } from '../../../schemas/kit/form/schema-parts.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { HOUR, SECOND } from '../clock.ts';
import { AppError, BodyTooLarge, defineError, InvalidFields, UnknownField } from '../errors.ts';

const InvalidParts = defineError('INVALID_PARTS');
export const FileTooLarge = defineError<{ size: string }>('FILE_TOO_LARGE');

const MAX_PARTS = 1000;
const MAX_FILES = 20;
/** Of one text, and of all together. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** How much of a refused body is still read, and for how long. */
const DRAINED_BYTES = 16 * MEGABYTE;
const DRAIN_MS = 5 * SECOND;
// One more than a name may have, so that a longer one is refused and not cut.
const MAX_NAME = 256;
// `tags`, `tags[0]`, `place[city]`, `tags[]`; up to six deep.
const PART_NAME = /^[A-Za-z]\w{0,99}(?:\[\w{0,100}\]){0,6}$/;
const POISON = new Set(['__proto__', 'constructor', 'prototype']);

/** A file of a call, on disk until the call is answered. */
export interface Upload {
  /** As the sender named it: a text, never a path. */
  fileName: string;
  path: string;
  size: number;
  /** Hex. */
  sha256: string;
}

type Node = { [name: string]: Node | string };

function stepsOf(name: string): string[] {
  const steps = name.split(/[[\]]+/).filter((step, index) => index === 0 || step !== '');
  if (!PART_NAME.test(name) || steps.some((step) => POISON.has(step)))
    throw new UnknownField({ field: name.slice(0, 100) }, { source: name.slice(0, 100) });
  return steps;
}

function put(root: Node, name: string, value: string): void {
  const steps = stepsOf(name);
  const last = name.endsWith('[]') ? undefined : steps.pop();
  let node = root;
  for (const step of steps) {
    const next = node[step] ?? {};
    if (typeof next === 'string') throw new InvalidParts({});
    node[step] = next;
    node = next;
  }
  if (last === undefined) {
    // `tags[]` alone is an empty list; with a value it is the next entry.
    if (value !== '') node[String(Object.keys(node).length)] = value;
    return;
  }
  if (last in node) throw new InvalidParts({});
  node[last] = value;
}

function readText(schema: JsonSchema | undefined, text: string): unknown {
  const types = new Set([schema?.type ?? []].flat());
  if ((types.has('integer') || types.has('number')) && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  // `False` is what Python writes, and many programs send 0 or 1.
  if (types.has('boolean') && /^(?:true|false|[01])$/i.test(text)) return /^(?:true|1)$/i.test(text);
  return text === '' && types.has('null') ? null : text;
}

/** Parts as the value that a schema describes: parts are texts, the schema says which are numbers, flags, lists and groups. Anything else stays a text. */
function readNode(schema: JsonSchema | undefined, node: Node | string): unknown {
  if (typeof node === 'string') return readText(schema, node);
  const names = Object.keys(node);
  if (schema?.type === 'array') {
    if (names.some((name, index) => name !== String(index))) throw new InvalidParts({});
    return names.map((name) => readNode(itemOf(schema), node[name] ?? ''));
  }
  const { properties, additionalProperties } = schema ?? {};
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return Object.fromEntries(names.map((name) => [name, readNode(properties?.[name] ?? others, node[name] ?? '')]));
}

/** A list whose items come under its bare name, one part each, as most programs send one. */
function placeOf(schema: JsonSchema, name: string): string {
  return schema.properties && Object.hasOwn(schema.properties, name) && schema.properties[name]?.type === 'array' ? `${name}[]` : name;
}

async function keepFile(folder: string, part: MultipartFile, maxBytes: number): Promise<Upload> {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const tooLarge = new FileTooLarge({ size: `${Math.floor(maxBytes / MEGABYTE)} MB` }, { source: part.fieldname });
  // At once: a file without an end would be read for ever.
  part.file.once('limit', () => part.file.destroy(tooLarge));
  try {
    await pipeline(part.file, count, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    if (part.file.truncated) throw tooLarge;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  // Composed first: `e` and an accent are one character of a name.
  return { fileName: part.filename.normalize('NFC').slice(0, MAX_NAME), path, size, sha256: hash.digest('hex') };
}

async function takeParts(
  ctx: Pick<Context, 'config'>,
  request: FastifyRequest,
  { root, schema, maxBytes }: { root: Node; schema: JsonSchema; maxBytes: number },
): Promise<void> {
  const folder = join(ctx.config.dataDir, 'uploads');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let textBytes = 0;
  const limits = { fileSize: maxBytes, files: MAX_FILES, parts: MAX_PARTS, fieldSize: MAX_TEXT_BYTES, fieldNameSize: 200, headerPairs: 20 };
  for await (const part of request.parts({ limits, throwFileSizeLimit: false } as Parameters<FastifyRequest['parts']>[0])) {
    if (part.type === 'file') {
      const [field = ''] = stepsOf(part.fieldname);
      if (schema.properties && !Object.hasOwn(schema.properties, field)) throw new UnknownField({ field }, { source: field });
      const upload = await keepFile(folder, part, maxBytes);
      const token = `file-${randomUUID()}`;
      request.uploads.set(token, upload);
      put(root, placeOf(schema, part.fieldname), token);
    } else {
      if (part.valueTruncated || part.fieldnameTruncated) throw new InvalidParts({});
      const text = String(part.value);
      textBytes += Buffer.byteLength(text);
      if (textBytes > MAX_TEXT_BYTES) throw new BodyTooLarge({ limit: '1 MB' });
      put(root, placeOf(schema, part.fieldname), text);
    }
  }
}

/**
 * Reads on what is left of a refused body, so that its sender gets the answer and the connection takes the next call. One with too much to come
 * is cut off: nobody can ask anything more on it.
 */
function drain(body: IncomingMessage): void {
  body.unpipe();
  let bytes = 0;
  const cut = (): void => void body.destroy();
  const late = setTimeout(cut, DRAIN_MS).unref();
  body.once('close', () => clearTimeout(late));
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAINED_BYTES) cut();
  });
  body.resume();
}

/**
 * Reads a multipart call: files go to disk as they come and leave a token in the body, texts become the values that the body's schema asks for.
 * Throws FILE_TOO_LARGE at the file's field, BODY_TOO_LARGE, UNKNOWN_FIELD and INVALID_PARTS for parts that make no body.
 */
export async function readParts(
  ctx: Pick<Context, 'config'>,
  request: FastifyRequest,
  schema: JsonSchema,
  maxBytes: number,
): Promise<void> {
  const root: Node = {};
  try {
    await takeParts(ctx, request, { root, schema, maxBytes });
  } catch (error) {
    drain(request.raw);
    // The disk says what it lacks; anything else that is not ours is the library's word on a body that is none.
    if (error instanceof AppError || (error instanceof Error && 'syscall' in error)) throw error;
    throw new InvalidParts({}, { cause: error });
  }
  request.body = readNode(schema, root);
}

/**
 * Deletes what a process left behind that ended in the middle of an upload. Beside other processes, what changed within the last hour is left
 * alone: no call takes that long.
 */
export async function sweepUploads(ctx: Pick<Context, 'config' | 'log'>): Promise<void> {
  const folder = join(ctx.config.dataDir, 'uploads');
  const before = ctx.config.databaseUrl === undefined ? Infinity : Date.now() - HOUR;
  try {
    for (const name of existsSync(folder) ? await readdir(folder) : []) {
      const path = join(folder, name);
      if ((await stat(path)).mtimeMs < before) await rm(path, { force: true });
    }
  } catch (error) {
    ctx.log.error({ err: error }, 'what was left of uploads could not be swept');
  }
}

/** Deletes what is left of a call's files. */
export async function dropUploads(request: FastifyRequest): Promise<void> {
  for (const { path } of request.uploads.values()) await rm(path, { force: true });
}

/** The file behind the token in a body's field. Throws INVALID_FIELD there when the call carried none. */
export function requireUpload(request: FastifyRequest, field: string, token: string): Upload {
  const upload = request.uploads.get(token);
  if (!upload) throw new InvalidFields([{ source: field, message: 'Fill in this field.', params: { key: 'validation.required' } }]);
  return upload;
}
