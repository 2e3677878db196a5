import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { runInHelper, type Helper } from '../../kernel/costly/helper-process.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import type { CheckedFile } from './check-json-worker.ts';
import { ApiDescriptionExists, ApiDescriptionUnfit, FileKind, JsonFileBroken } from './errors.ts';

/** So many of what a document describes and no form shows are named in an answer. */
const MOST_NAMED = 200;
const MOST_PLACE = 200;
const HELPER: Helper = { entry: new URL('./check-json-worker.ts', import.meta.url), heapMb: 1024 };

type Description = Row<'api_descriptions'>;
type KnownFile = Extract<CheckedFile, { document: unknown }>;

/** What is in the file. In a process of its own: 80 MB take a second, during which the server would answer nobody. */
const checkFile = (path: string, signal: AbortSignal): Promise<CheckedFile> => runInHelper(HELPER, path, signal);

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
  signal: AbortSignal,
) {
  if (!/\.json$/i.test(upload.fileName)) throw new FileKind({ kinds: '.json' }, { source: 'file' });
  const checked = await checkFile(upload.path, signal);
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
    assertUsable(checked, former);
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

/** Refuses a document that says nothing of what a device can be set to or asked for, and one without settings in place of one that has some. */
function assertUsable({ document, sources }: KnownFile, former: Description | undefined): void {
  if (document.sections.length > 0) return;
  const formerDocument = former?.document ? (JSON.parse(former.document) as KnownFile['document']) : undefined;
  if (sources.length > 0 && !formerDocument?.sections.length) return;
  const reason =
    sources.length > 0
      ? 'It describes no settings, and the one that is in use does. Name the place of settings by "x-uci".'
      : 'It describes no settings, and no address that devices answer.';
  throw new ApiDescriptionUnfit({ at: '', reason }, { source: 'file' });
}

async function dropFile(ctx: Context, folder: string, sha256: string | undefined): Promise<void> {
  if (sha256 === undefined) return;
  const used = await ctx.db.selectFrom('api_descriptions').select('system').where('sha256', '=', sha256).executeTakeFirst();
  if (!used) await rm(join(folder, `${sha256}.json`), { force: true });
}
