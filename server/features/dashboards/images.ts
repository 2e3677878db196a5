import { sql } from 'kysely';
import type { Image } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { runInHelper, type Helper } from '../../kernel/costly/helper-process.ts';
import type { DrawnImage } from './draw-image-worker.ts';

type ImageRow = Omit<Row<'images'>, 'bytes' | 'thumbnail'>;

type Found = ImageRow & { company_name: string };

/** The library works outside of the heap; what an image may take there is bound by its pixels. */
const DRAWING: Helper = { entry: new URL('./draw-image-worker.ts', import.meta.url), heapMb: 128 };
const MOST_IN_COMPANY = 200;
const MOST_BYTES = 10 * 1024 * 1024;
const SHOWN = [
  'images.id',
  'images.company_id',
  'images.user_id',
  'images.user_name',
  'images.name',
  'images.description',
  'images.type',
  'images.content_type',
  'images.size',
  'images.original_width',
  'images.original_height',
  'images.created_at',
  'images.updated_at',
] as const;

const columns: ListColumns = {
  id: sql.ref('images.id'),
  sorts: {
    id: { by: sql.ref('images.id') },
    name: byText('images.name'),
    size: { by: sql.ref('images.size') },
    created_at: { by: sql.ref('images.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('images.company_id'), integers(values)),
    type: (values) => isOneOf(sql.ref('images.type'), values),
  },
  search: (text) => containsText([sql.ref('images.name'), sql.ref('images.description')], text),
};

const visible = (db: Db, actor: Actor) =>
  db.selectFrom('images').innerJoin('companies', 'companies.id', 'images.company_id').where(isVisible(actor, 'images'));

function present(row: Found): Image {
  const { content_type: _type, created_at: createdAt, updated_at: updatedAt, ...shown } = row;
  return { ...shown, created_at: wireTime(createdAt), updated_at: wireTime(updatedAt) };
}

/** One page of the images of companies that the actor sees. */
export async function listImages(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Image[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(db, actor).select([...SHOWN, 'companies.name as company_name']), query, columns);
  return { rows: rows.map(present), total };
}

async function requireImage(db: Db, actor: Actor, id: number): Promise<Found> {
  const row = await visible(db, actor)
    .select([...SHOWN, 'companies.name as company_name'])
    .where('images.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** What is known of an image. Throws NOT_FOUND. */
export async function getImage(db: Db, actor: Actor, id: number): Promise<Image> {
  return present(await requireImage(db, actor, id));
}

/** An image's bytes, or those of its thumbnail. Throws NOT_FOUND. */
export async function readImage(db: Db, actor: Actor, id: number, part: 'bytes' | 'thumbnail'): Promise<{ type: string; bytes: Buffer }> {
  const row = await visible(db, actor)
    .select(['images.content_type', `images.${part} as content`])
    .where('images.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return { type: row.content_type, bytes: Buffer.from(row.content, 'base64') };
}

async function record(trx: Trx, { actor, origin }: Caller, verb: string, at: number, [before, after]: [ImageRow | null, ImageRow | null]) {
  const row = after ?? before;
  if (!row) return;
  const kept = (side: ImageRow | null) => side && { name: side.name, description: side.description, size: side.size };
  await writeAudit(trx, { actor, origin, at }, [
    {
      action: `images.${verb}`,
      entity: 'image',
      entityId: row.id,
      entityName: row.name,
      companyId: row.company_id,
      before: kept(before),
      after: kept(after),
    },
  ]);
}

interface NewImage {
  upload: Upload;
  companyId: number;
  description: string;
}

/** Throws NOT_FOUND at `company_id`, INVALID_FIELD at `image` when the company has as many images as it may. */
async function requireRoom(db: Db, actor: Actor, companyId: number) {
  const company = await requireCompany(db, actor, companyId, 'company_id');
  const { count } = await db
    .selectFrom('images')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('company_id', '=', company.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_IN_COMPANY)
    throw new InvalidFields([
      {
        source: 'image',
        message: `A company has ${MOST_IN_COMPANY} images at most.`,
        params: { key: 'forms.images.new.full', max: MOST_IN_COMPANY },
      },
    ]);
  return company;
}

/** Keeps an image for dashboards, drawn in a process of its own. Throws NOT_FOUND at `company_id`, INVALID_FIELD at `image`. */
export async function addImage(
  ctx: Context,
  caller: Caller,
  { upload, companyId, description }: NewImage,
  signal: AbortSignal,
): Promise<number> {
  const { actor } = caller;
  await requireRoom(ctx.reads, actor, companyId);
  const drawn = await runInHelper<string, DrawnImage>(DRAWING, upload.path, signal);
  if (drawn.bytes.length > MOST_BYTES)
    throw new InvalidFields([
      { source: 'image', message: 'An image has 10 MB at most.', params: { key: 'forms.images.new.too_many_bytes', megabytes: 10 } },
    ]);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireRoom(trx, actor, companyId);
    const row = await trx
      .insertInto('images')
      .values({
        company_id: company.id,
        user_id: actor.userId,
        user_name: actor.name,
        name: upload.fileName.slice(0, 255),
        description,
        type: 'device_dashboard',
        content_type: drawn.type,
        size: drawn.bytes.length,
        original_width: drawn.width,
        original_height: drawn.height,
        bytes: drawn.bytes.toString('base64'),
        thumbnail: drawn.thumbnail.toString('base64'),
        created_at: at,
        updated_at: at,
      })
      .returning(['id'])
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'new', at, [null, await requireImage(trx, actor, row.id)]);
    return row.id;
  });
}

/** Changes what is written of an image. Throws NOT_FOUND. */
export async function editImage(ctx: Context, caller: Caller, id: number, description: string): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireImage(trx, caller.actor, id);
    await trx.updateTable('images').set({ description, updated_at: at }).where('id', '=', id).execute();
    await record(trx, caller, 'edit', at, [before, { ...before, description }]);
  });
}

/** Removes an image; widgets that show it say that it is gone. Throws NOT_FOUND. */
export async function removeImage(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireImage(trx, caller.actor, id);
    await trx.deleteFrom('images').where('id', '=', id).execute();
    await record(trx, caller, 'remove', ctx.clock.now(), [before, null]);
  });
}
