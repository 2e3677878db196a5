import { basename } from 'node:path';
import { personOf } from '../../kernel/actor.ts';
import { stream } from '../../kernel/answer.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { attachmentOf, readRange } from '../../domain/files/content-headers.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { cleanPath, FileFaultError } from './remote-fs.ts';

const LONGEST_PATH = 4096;

/** Registers the files of devices, over SSH; their code is loaded with the first session. */
export function registerRemoteFiles(app: App): void {
  app.ctx.remote.registerKind('sftp', async (session, socket) => (await import('./relay.ts')).relayFiles(app.ctx, session, socket));
  route(app, {
    method: 'GET',
    path: '/devices/connect/sessions/:id/file',
    access: { permission: 'execute_device_remote_access' },
    summary: 'A file of the remote side, whole or by range, while the session of the caller is open.',
    mediaType: 'application/octet-stream',
    tag: 'device access',
    params: idParams,
    query: Type.Object({ path: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_PATH })) }, { additionalProperties: false }),
    async handler({ ctx, actor, params, query, request }) {
      // Loaded with the first session, as ssh2 is.
      const { findOpenFiles, recordFileCall } = await import('./relay.ts');
      const found = findOpenFiles(params.id, personOf(actor));
      if (!found) throw new NotFound({});
      if (query.path === undefined) throw new InvalidFields([{ source: 'path', message: 'Name the file.' }]);
      try {
        const path = cleanPath(query.path);
        const { kind, size, modified } = await found.fs.facts(path);
        if (kind === 'folder') throw new NotFound({}, { source: 'path' });
        const etag = `"${size}-${modified}"`;
        const condition = request.headers['if-range'];
        const range = condition === undefined || condition === etag ? readRange(request.headers.range, size) : undefined;
        if (range === 'unsatisfiable') return stream('', { 'content-range': `bytes */${size}` }, 416);
        await recordFileCall(ctx, found.session, { op: 'download', path: path.slice(0, 500) });
        const headers = {
          'content-type': 'application/octet-stream',
          'content-disposition': attachmentOf(basename(path)),
          'accept-ranges': 'bytes',
          etag,
        };
        const content = size === 0 ? '' : await found.fs.read(path, range ?? { start: 0, end: size - 1 });
        if (range === undefined) return stream(content, { ...headers, 'content-length': String(size) });
        const part = {
          'content-length': String(range.end - range.start + 1),
          'content-range': `bytes ${range.start}-${range.end}/${size}`,
        };
        return stream(content, { ...headers, ...part }, 206);
      } catch (error) {
        if (error instanceof FileFaultError) throw new NotFound({}, { source: 'path', cause: error });
        throw error;
      }
    },
  });
}
