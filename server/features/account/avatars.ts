import { readFile } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { randomToken } from '../../kernel/auth/tokens.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { NoPicture } from './errors.ts';

/** The console sends 256 × 256 pixels; this is far more than those need. */
export const MAX_AVATAR_BYTES = 256 * 1024;
const KEY_BYTES = 16;

/** What a picture's first bytes say that it is; undefined for anything but PNG, JPEG and WebP. Names and declared types are not believed. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  const begins = (at: number, ...bytesOf: number[]): boolean => bytesOf.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return undefined;
}

function auditAvatar(ctx: Context, { actor, origin }: Caller, after: { key: string; type: string } | null) {
  const { userId: entityId, name: entityName, companyId } = actor;
  const who = { actor, origin, at: ctx.clock.now() };
  return { who, entries: [{ action: 'account.avatar', entity: 'user', entityId, entityName, companyId, before: null, after }] };
}

/** Keeps a picture of the person who calls. Throws NO_PICTURE at `file`. */
export async function setAvatar(ctx: Context, caller: Caller, path: string): Promise<void> {
  const bytes = await readFile(path);
  const type = pictureTypeOf(bytes);
  if (type === undefined) throw new NoPicture({}, { source: 'file' });
  const user_id = caller.actor.userId;
  const key = randomToken(KEY_BYTES);
  await inTransaction(ctx.db, async (trx) => {
    await trx.deleteFrom('avatars').where('user_id', '=', user_id).execute();
    await trx
      .insertInto('avatars')
      .values({ user_id, key, type, bytes: bytes.toString('base64') })
      .execute();
    const { who, entries } = auditAvatar(ctx, caller, { key, type });
    await writeAudit(trx, who, entries);
  });
}

/** Takes the picture of the person who calls away. */
export async function removeAvatar(ctx: Context, caller: Caller): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await trx.deleteFrom('avatars').where('user_id', '=', caller.actor.userId).execute();
    const { who, entries } = auditAvatar(ctx, caller, null);
    await writeAudit(trx, who, entries);
  });
}

/** A picture of somebody whom the actor sees, or of the actor. Throws NOT_FOUND. */
export async function getAvatar(ctx: Context, actor: Actor, key: string): Promise<{ type: string; bytes: Buffer }> {
  const row = await ctx.reads
    .selectFrom('avatars')
    .innerJoin('users', 'users.id', 'avatars.user_id')
    .select(['avatars.type', 'avatars.bytes'])
    .where('avatars.key', '=', key)
    .where((eb) => eb.or([eb('users.id', '=', actor.userId), isVisible(actor, 'users')]))
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return { type: row.type, bytes: Buffer.from(row.bytes, 'base64') };
}
