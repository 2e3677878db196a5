import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { FileType } from '../../db/file-tables.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { FileQuotaExceeded } from './errors.ts';
import { historyOf, presentFile, type FileRow } from './present-file.ts';

const MEGABYTE = 1024 * 1024;

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE)} MB`;
}

async function requireSpace(ctx: Context, trx: Trx, companyId: number, size: number): Promise<void> {
  // PostgreSQL runs writers side by side: the next upload of the same company waits here until this one is counted.
  if (ctx.database.tools.kind === 'postgres')
    await trx.selectFrom('companies').select('id').where('id', '=', companyId).forUpdate().execute();
  const { bytes } = await trx
    .selectFrom('files')
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  const quota = ctx.config.fileQuotaBytes;
  const left = quota - Number(bytes);
  if (size > left) throw new FileQuotaExceeded({ quota: megabytes(quota), left: megabytes(Math.max(0, left)) }, { source: 'file' });
}

/** A file that is about to be kept; its content is in the file store already. */
export interface IncomingFile {
  upload: Upload;
  contentKey: string;
  name: string;
  type: FileType;
  description: string;
  /** null: for the whole installation. */
  company: Pick<Row<'companies'>, 'id' | 'name' | 'path'> | null;
  /** The device that it came from. */
  device: Pick<Row<'devices'>, 'id' | 'name'> | null;
  device_model: string | null;
  version: string | null;
  uploadedBy: number | null;
}

/** Writes the row of a file with its history; followers hear of it after the commit. Throws FILE_QUOTA_EXCEEDED at `file`. Returns its id. */
export async function insertFile(
  ctx: Context,
  trx: Trx,
  { actor, origin }: { actor: Actor | null; origin: Origin },
  incoming: IncomingFile,
): Promise<number> {
  const { upload, company, device, name, type, description, contentKey } = incoming;
  const at = ctx.clock.now();
  if (company) await requireSpace(ctx, trx, company.id, upload.size);
  const row = await trx
    .insertInto('files')
    .values({
      company_id: company?.id ?? null,
      device_id: device?.id ?? null,
      type,
      name,
      description,
      size: upload.size,
      sha256: upload.sha256,
      content_key: contentKey,
      device_model: incoming.device_model,
      version: incoming.version,
      uploaded_by: incoming.uploadedBy,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const file: FileRow = { ...row, company_name: company?.name ?? null, device_name: device?.name ?? null };
  await writeAudit(trx, { actor, origin, at }, [
    {
      action: 'files.new',
      entity: 'file',
      entityId: row.id,
      entityName: name,
      companyId: row.company_id,
      before: null,
      after: historyOf(file),
    },
  ]);
  if (company) afterCommit(trx, () => ctx.live.publishBelow(company.path, 'files', 'FileAdded', presentFile(file)));
  return row.id;
}

/** Takes an upload's content into the file store and writes what `write` writes, in one transaction; without the commit the content goes again. */
export async function keepFile<T>(ctx: Context, upload: Upload, write: (trx: Trx, contentKey: string) => Promise<T>): Promise<T> {
  const contentKey = await ctx.files.keep(upload.path);
  let isWritten = false;
  try {
    return await inTransaction(ctx.db, async (trx) => {
      afterCommit(trx, () => void (isWritten = true));
      return write(trx, contentKey);
    });
  } catch (error) {
    if (!isWritten) await ctx.files.remove(contentKey);
    throw error;
  }
}
