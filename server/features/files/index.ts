import { created, ok, type Answer } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { compareFiles } from './diff.ts';
import { presentFile } from '../../domain/files/present-file.ts';
import { previewFile } from './preview.ts';
import { listFiles, findUnusedKeys } from './repo.ts';
import { addFile, editFile, getFile, markStable, signFile, removeFiles, requireFile } from './service.ts';
import { downloadZip } from './zip.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { FastifyRequest } from 'fastify';
import { answerWithFile } from '../../domain/files/answer-with-file.ts';
import { HOUR } from '../../kernel/clock.ts';

const access = { permission: 'view_files' } as const;
const tag = 'files';
const MAX_FILES = 100;
const COMPARISONS_PER_MINUTE = 60;

const fileIds = Type.Object(
  {
    files: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_FILES,
      uniqueItems: true,
    }),
  },
  { additionalProperties: false },
);

function registerLists(app: App): void {
  listRoute(app, {
    path: '/files',
    access,
    summary: 'Files of the companies that the caller sees, and global firmware.',
    tag,
    rules: listRulesOf('files', { sorts: ['id'] }),
    async list(ctx, actor, query) {
      const { rows, total } = await listFiles(ctx.reads, actor, query, { isGlobal: false });
      return { rows: rows.map(presentFile), total };
    },
  });
  listRoute(app, {
    path: '/files/global/firmware',
    access: { permission: 'upload_files_global_scope' },
    summary: 'Firmware for everybody.',
    tag,
    rules: listRulesOf('global-firmware', { sorts: ['id'] }),
    async list(ctx, actor, query) {
      const { rows, total } = await listFiles(ctx.reads, actor, query, { isGlobal: true });
      return { rows: rows.map(presentFile), total };
    },
  });
}

function registerContents(app: App): void {
  route(app, {
    method: 'GET',
    path: '/files/:id/download',
    access,
    summary: "A file's bytes, whole or by range.",
    mediaType: 'application/octet-stream',
    tag,
    params: idParams,
    handler: ({ ctx, actor, params, request }) => downloadFile(ctx, actor, params.id, request),
  });
  route(app, {
    method: 'POST',
    path: '/files/download/zip',
    access,
    summary: 'Several files as one ZIP.',
    mediaType: 'application/zip',
    tag,
    body: fileIds,
    cost: 'file',
    handler: ({ ctx, actor, body }) => downloadZip(ctx, actor, body.files),
  });
  route(app, {
    method: 'GET',
    path: '/files/:id/preview',
    access,
    summary: 'What can be shown of a file: its text, or that it is an image.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await previewFile(ctx, actor, params.id)),
  });
}

function registerComparison(app: App): void {
  const two = Type.Object({ id: idParams.properties.id, other: idParams.properties.id });
  route(app, {
    method: 'GET',
    path: '/files/:id/diff/:other',
    access,
    summary: 'How the second of two backups differs from the first, file by file.',
    tag,
    params: two,
    ratePerMinute: COMPARISONS_PER_MINUTE,
    cost: 'processor',
    handler: async ({ ctx, actor, params, signal }) => ok(await compareFiles(ctx, actor, [params.id, params.other], signal)),
  });
}

/** Registers the files room. */
export function registerFiles(app: App): void {
  app.fastify.addHook('onReady', async () => {
    await sweepFiles(app.ctx).catch((error: unknown) => app.ctx.log.error({ err: error }, 'the file store could not be swept'));
  });
  registerLists(app);
  registerContents(app);
  registerComparison(app);
  route(app, {
    method: 'GET',
    path: '/files/:id',
    access,
    summary: 'One file.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getFile(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'files/new',
    async ({ ctx, actor, origin, body, request }) => {
      const upload = requireUpload(request, 'file', body.file);
      const { company_id: companyId = actor.companyId, type, description = '' } = body;
      const id = await addFile(ctx, { actor, origin }, { upload, companyId, type, description });
      return created({ id }, { id });
    },
    { programs: { status: 200 } },
  );
  formRoute(app, 'files/new-global', async ({ ctx, actor, origin, body, request }) => {
    const upload = requireUpload(request, 'file', body.file);
    const file = { upload, companyId: null, type: 'global_firmware', description: body.description ?? '' } as const;
    return created({ id: await addFile(ctx, { actor, origin }, file) });
  });
  formRoute(app, 'files/edit', async ({ ctx, actor, origin, params, body }) => {
    await editFile(ctx, { actor, origin }, params.id, body);
    return ok(await getFile(ctx, actor, params.id));
  });
  formRoute(app, 'files/sign', async ({ ctx, actor, origin, params, body }) => {
    await signFile(ctx, { actor, origin }, params.id, body.signature);
    return ok();
  });
  formRoute(app, 'files/mark-stable', async ({ ctx, actor, origin, params, body }) => {
    await markStable(ctx, { actor, origin }, params.id, body.is_stable);
    return ok();
  });
  formRoute(app, 'files/remove', async ({ ctx, actor, origin, params }) => {
    await removeFiles(ctx, { actor, origin }, [params.id], 'id');
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/files/remove',
    access: { permission: 'delete_files' },
    summary: 'Removes several files, all or none.',
    tag,
    body: fileIds,
    async handler({ ctx, actor, origin, body }) {
      await removeFiles(ctx, { actor, origin }, body.files, 'files');
      return ok();
    },
  });
}

/** One file's bytes, whole or in part. Throws NOT_FOUND, FILE_CONTENT_MISSING. */
export async function downloadFile(ctx: Context, actor: Actor, id: number, request: Pick<FastifyRequest, 'headers'>): Promise<Answer> {
  return answerWithFile(ctx, await requireFile(ctx.reads, actor, id), request);
}

const CHUNK = 500;

async function removeUnused(ctx: Context, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  for (const key of await findUnusedKeys(ctx.db, keys)) await ctx.files.remove(key);
}

/**
 * Removes contents that no file has: a process ended between keeping the bytes and writing the row, or between removing the row and the bytes.
 * Beside other processes, the last hour is left alone: one of them may be about to write the row.
 */
export async function sweepFiles(ctx: Context): Promise<void> {
  const isAlone = ctx.config.databaseUrl === undefined;
  let keys: string[] = [];
  for await (const key of ctx.files.keysBefore(isAlone ? Infinity : Date.now() - HOUR)) {
    keys.push(key);
    if (keys.length < CHUNK) continue;
    await removeUnused(ctx, keys);
    keys = [];
  }
  await removeUnused(ctx, keys);
}
