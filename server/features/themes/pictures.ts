import { readFile } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { randomToken } from '../../kernel/auth/tokens.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { PictureRefused } from './errors.ts';

type Kind = Row<'theme_pictures'>['kind'];

const KEY_BYTES = 16;
const KINDS = {
  favicon: ['image/svg+xml', 'image/png', 'image/x-icon'],
  logo_vector: ['image/svg+xml'],
  model_image: ['image/svg+xml', 'image/png'],
};
const NAMES: Record<string, string> = { 'image/svg+xml': 'SVG', 'image/png': 'PNG', 'image/x-icon': 'ICO' };

// One piece of what may come before the root of an XML file, taken one by one: repeated within one expression, hostile comments could be read in endlessly many ways.
const PROLOG = /\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/iy;

function afterProlog(text: string): string {
  let end = 0;
  for (PROLOG.lastIndex = 0; PROLOG.test(text);) end = PROLOG.lastIndex;
  return text.slice(end);
}

/** What a picture's content says that it is; names and declared types are not believed. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (bytes.subarray(0, 4).equals(Buffer.from([0, 0, 1, 0]))) return 'image/x-icon';
  const text = bytes.toString('utf8');
  // An XML declaration, comments and a document type may come before: `<?xml …?><!-- … --><svg xmlns="http://www.w3.org/2000/svg"`
  return /^<svg[\s>]/i.test(afterProlog(text)) ? 'image/svg+xml' : undefined;
}

/** A picture for a field, read and judged. Throws PICTURE_REFUSED at the field. */
export async function readPicture(kind: keyof typeof KINDS, upload: Upload): Promise<{ type: string; bytes: string }> {
  const bytes = await readFile(upload.path);
  const type = pictureTypeOf(bytes);
  if (type === undefined || !KINDS[kind].includes(type))
    throw new PictureRefused({ kinds: KINDS[kind].map((name) => NAMES[name]).join(', ') }, { source: kind });
  return { type, bytes: bytes.toString('base64') };
}

/** Puts a picture in the place of the former one; without one only takes that away. */
export async function replacePicture(
  trx: Trx,
  companyId: number,
  kind: Kind,
  picture: { type: string; bytes: string } | undefined,
): Promise<void> {
  await trx.deleteFrom('theme_pictures').where('company_id', '=', companyId).where('kind', '=', kind).execute();
  if (picture)
    await trx
      .insertInto('theme_pictures')
      .values({ key: randomToken(KEY_BYTES), company_id: companyId, kind, ...picture })
      .execute();
}

/** A picture by the key in its address, for everybody: sign-in pages show it. Throws NOT_FOUND. */
export async function getPicture(ctx: Context, key: string): Promise<{ type: string; bytes: Buffer }> {
  const row = await ctx.reads.selectFrom('theme_pictures').select(['type', 'bytes']).where('key', '=', key).executeTakeFirst();
  if (!row) throw new NotFound({});
  return { type: row.type, bytes: Buffer.from(row.bytes, 'base64') };
}
