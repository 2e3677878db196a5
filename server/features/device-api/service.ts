import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import type { CheckedFile } from './check-json-worker.ts';
import { ApiDescriptionExists, ApiDescriptionUnfit, FileKind, JsonFileBroken } from './errors.ts';

/** So many of what a document describes and no form shows are named in an answer. */
const MOST_NAMED = 200;
const MOST_PLACE = 200;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 1024 };

type Description = Row<'api_descriptions'>;

/** What is in the file. In a thread of its own: 80 MB take a second, during which the server would answer nobody. */
function checkFile(path: string): Promise<CheckedFile> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./check-json-worker.ts', import.meta.url), { workerData: path, resourceLimits: HEAP_LIMITS });
    // Only our own worker posts here.
    worker.once('message', (value: CheckedFile) => resolve(value));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the check of a JSON file ended without an answer')));
  });
}

function present({ system, file_name, size, sha256, created_at }: Omit<Description, 'document' | 'sources'>) {
  return { system, file_name, size, sha256, created_at: wireTime(created_at) };
}

const withoutDocument = ({ document: _document, sources: _sources, ...row }: Description) => row;

/** The API descriptions that there are. */
export async function listDescriptions(ctx: Context) {
  const rows = await ctx.reads.selectFrom('api_descriptions').selectAll().orderBy('system').execute();
  return rows.map(present);
}

/**
 * Keeps a device system's API description. Throws FILE_KIND, JSON_FILE_BROKEN (with line and column) and API_DESCRIPTION_UNFIT at `file`, API_DESCRIPTION_EXISTS at
 * `overwrite` when there is one already that may not be replaced. Answers with how many sections became forms, and what did not: how many, and the first 200 of them.
 */
export async function keepDescription(
  ctx: Context,
  { actor, origin }: Caller,
  { system, upload, isOverwriting }: { system: Description['system']; upload: Upload; isOverwriting: boolean },
) {
  if (!/\.json$/i.test(upload.fileName)) throw new FileKind({ kinds: '.json' }, { source: 'file' });
  const checked = await checkFile(upload.path);
  if ('broken' in checked) throw new JsonFileBroken({ file: upload.fileName, ...checked.broken }, { source: 'file' });
  if ('fault' in checked) throw new ApiDescriptionUnfit(checked.fault, { source: 'file' });
  const folder = join(ctx.config.dataDir, 'api-descriptions');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = ctx.clock.now();
  const { fileName: file_name, size, sha256 } = upload;
  const row = { system, file_name, size, sha256, uploaded_by: actor.userId, created_at: at };
  const before = await inTransaction(ctx.db, async (trx) => {
    const former = await trx.selectFrom('api_descriptions').selectAll().where('system', '=', system).executeTakeFirst();
    if (former && !isOverwriting) throw new ApiDescriptionExists({}, { source: 'overwrite' });
    await rename(upload.path, join(folder, `${upload.sha256}.json`));
    await trx.deleteFrom('api_descriptions').where('system', '=', system).execute();
    await trx
      .insertInto('api_descriptions')
      .values({ ...row, document: JSON.stringify(checked.document), sources: JSON.stringify(checked.sources) })
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'devices.api-description',
        entity: 'api_description',
        entityId: null,
        entityName: system,
        companyId: actor.companyId,
        before: former ? withoutDocument(former) : null,
        after: row,
      },
    ]);
    return former;
  });
  await dropFile(ctx, folder, before?.sha256);
  return {
    ...present(row),
    sections: checked.document.sections.length,
    left_out: checked.leftOut.slice(0, MOST_NAMED).map(({ at: place, reason }) => ({ at: place.slice(0, MOST_PLACE), reason })),
    left_out_count: checked.leftOut.length,
  };
}

async function dropFile(ctx: Context, folder: string, sha256: string | undefined): Promise<void> {
  if (sha256 === undefined) return;
  const used = await ctx.db.selectFrom('api_descriptions').select('system').where('sha256', '=', sha256).executeTakeFirst();
  if (!used) await rm(join(folder, `${sha256}.json`), { force: true });
}
