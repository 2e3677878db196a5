import type { File } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { readSignature } from '../../domain/signatures/signature.ts';
import type { FileType } from '../../db/file-tables.ts';
import type { Db } from '../../db/schema.ts';
import { requirePermission, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { isFirmware, readFirmwareName, requireFileName } from '../../domain/files/file-name.ts';
import { insertFile, keepFile } from '../../domain/files/keep-file.ts';
import { historyOf, presentFile, type FileRow } from '../../domain/files/present-file.ts';
import { findFiles } from './repo.ts';

export interface NewFile {
  upload: Upload;
  /** null: for the whole installation. */
  companyId: number | null;
  type: FileType;
  description: string;
}

/** The files with these ids, in their order. Throws NOT_FOUND at `source.<index>` of the first that the actor does not see. */
export async function requireFiles(db: Db, actor: Actor, ids: readonly number[], source: string): Promise<FileRow[]> {
  const byId = new Map((await findFiles(db, actor, ids)).map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const row = byId.get(id);
    if (!row) throw new NotFound({}, { source: `${source}.${index}` });
    return row;
  });
}

/** One file's row. Throws NOT_FOUND. */
export async function requireFile(db: Db, actor: Actor, id: number): Promise<FileRow> {
  const [row] = await findFiles(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One file as the actor sees it. Throws NOT_FOUND. */
export async function getFile(ctx: Context, actor: Actor, id: number): Promise<File> {
  return presentFile(await requireFile(ctx.reads, actor, id));
}

/** Who may change a file of the whole installation. Throws FORBIDDEN. */
function assertMayChange(actor: Actor, row: Pick<FileRow, 'company_id'>): void {
  if (row.company_id === null) requirePermission(actor, 'upload_files_global_scope');
}

/**
 * Keeps an uploaded file. Throws NOT_FOUND at `company_id`, FILE_QUOTA_EXCEEDED, FILE_KIND and INVALID_FIELD (its name) at `file`; nothing is
 * kept then.
 */
export async function addFile(ctx: Context, { actor, origin }: Caller, { upload, companyId, type, description }: NewFile): Promise<number> {
  const name = requireFileName(upload.fileName, type);
  return keepFile(ctx, upload, async (trx, contentKey) => {
    const company = companyId === null ? null : await requireCompany(trx, actor, companyId, 'company_id');
    const file = { name, type, description, company, device: null, uploadedBy: actor.userId, ...readFirmwareName(name, type) };
    return insertFile(ctx, trx, { actor, origin }, { ...file, upload, contentKey });
  });
}

interface FileChange {
  description?: string;
  is_stable?: 0 | 1;
  signature?: string | null;
}

/** Changes a file's description. Throws NOT_FOUND, or FORBIDDEN for a file of the whole installation. */
export function editFile(ctx: Context, caller: Caller, id: number, { description }: { description: string }): Promise<void> {
  return changeFile(ctx, caller, id, { description });
}

/** Says whether an image is a stable one. Throws as `editFile`, and INVALID_FIELD for what is no image. */
export function markStable(ctx: Context, caller: Caller, id: number, isStable: boolean): Promise<void> {
  return changeFile(ctx, caller, id, { is_stable: isStable ? 1 : 0 });
}

/** Keeps the signature of an image; an empty text takes it off. Throws as `editFile`, and INVALID_FIELD for what is no signature or no image. */
export function signFile(ctx: Context, caller: Caller, id: number, text: string): Promise<void> {
  if (text !== '' && !readSignature(text))
    throw new InvalidFields([
      { source: 'signature', message: 'This is no signature of minisign or usign.', params: { key: 'forms.files.sign.no_signature' } },
    ]);
  return changeFile(ctx, caller, id, { signature: text === '' ? null : text });
}

async function changeFile(ctx: Context, { actor, origin }: Caller, id: number, change: FileChange): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireFile(trx, actor, id);
    assertMayChange(actor, row);
    if (change.is_stable !== undefined && !isFirmware(row.type))
      throw new InvalidFields([{ source: 'is_stable', message: 'Only firmware can be stable.' }]);
    if (change.signature && !isFirmware(row.type)) throw new InvalidFields([{ source: 'signature', message: 'Only firmware is signed.' }]);
    const after = { ...row, ...change, updated_at: at };
    await trx
      .updateTable('files')
      .set({ ...change, updated_at: at })
      .where('id', '=', id)
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'files.edit',
        entity: 'file',
        entityId: id,
        entityName: row.name,
        companyId: row.company_id,
        before: historyOf(row),
        after: historyOf(after),
      },
    ]);
    if (row.company_id === null) return;
    const company = await requireCompany(trx, actor, row.company_id);
    const { description, is_stable, is_signed, company_id } = presentFile(after);
    const payload = { id, company_id: company_id ?? company.id, description, is_stable, is_signed };
    afterCommit(trx, () => ctx.live.publishBelow(company.path, 'files', 'FileChanged', payload));
  });
}

/** Removes files with their contents, all or none. Throws NOT_FOUND at `source.<index>`, FORBIDDEN for a file of the whole installation. */
export async function removeFiles(ctx: Context, { actor, origin }: Caller, ids: readonly number[], source: string): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const rows = await requireFiles(trx, actor, ids, source);
    for (const row of rows) assertMayChange(actor, row);
    await trx.deleteFrom('files').where('id', 'in', ids).execute();
    await writeAudit(
      trx,
      { actor, origin, at },
      rows.map((row) => ({
        action: 'files.remove',
        entity: 'file',
        entityId: row.id,
        entityName: row.name,
        companyId: row.company_id,
        before: historyOf(row),
        after: null,
      })),
    );
    for (const row of rows) {
      afterCommit(trx, () => ctx.files.remove(row.content_key));
      if (row.company_id === null) continue;
      const { id: companyId, path } = await requireCompany(trx, actor, row.company_id);
      afterCommit(trx, () => ctx.live.publishBelow(path, 'files', 'FileRemoved', { id: row.id, company_id: companyId }));
    }
  });
}
