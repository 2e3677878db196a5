import { buffer } from 'node:stream/consumers';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { FileContentMissing } from '../../domain/files/errors.ts';
import { requireFile } from './service.ts';

const MAX_TEXT_BYTES = 256 * 1024;
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** What can be shown of a file without opening it elsewhere. */
export type Preview =
  | { kind: 'text'; text: string; is_cut: boolean }
  /** To be loaded by the download call and shown as this type. */
  | { kind: 'image'; media_type: string }
  | { kind: 'none' };

// By their first bytes, never by name: what is not one of these is shown as text or not at all.
const IMAGES: [string, RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

/** Text in UTF-8 without control characters other than line ends and tabs; a character cut at the end of the part does not count. */
function readText(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    // oxlint-disable-next-line no-control-regex -- These characters mark a binary file.
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Reads a part of a file. Throws NOT_FOUND, FILE_CONTENT_MISSING. */
export async function previewFile(ctx: Context, actor: Actor, id: number): Promise<Preview> {
  const row = await requireFile(ctx.reads, actor, id);
  if (row.size === 0) return { kind: 'text', text: '', is_cut: false };
  const content = await ctx.files.read(row.content_key, { start: 0, end: Math.min(row.size, MAX_TEXT_BYTES) - 1 });
  if (!content) throw new FileContentMissing({});
  const bytes = await buffer(content);
  const first = bytes.subarray(0, 16).toString('latin1');
  const image = IMAGES.find(([, magic]) => magic.test(first));
  if (image) return row.size <= MAX_IMAGE_BYTES ? { kind: 'image', media_type: image[0] } : { kind: 'none' };
  const isCut = row.size > bytes.length;
  const text = readText(bytes, isCut);
  return text === undefined ? { kind: 'none' } : { kind: 'text', text, is_cut: isCut };
}
