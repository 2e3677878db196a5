import { ok, partial, stream } from '../../kernel/answer.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { exportHistory } from './export.ts';
import { listChanges } from './groups.ts';
import { listHistory, readHistory } from './repo.ts';
import { checkHistory, expireHistory, sealHistory } from './seals.ts';
import { undoChange, undoGroup, undoOwn } from './undo.ts';

const undoBody = Type.Object({ request_id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false });
const ofNumber = { kind: 'integer', isNegatable: false } as const;

/** Registers the history room: who changed what, with before and after. */
export function registerHistory(app: App): void {
  listRoute(app, {
    path: '/history',
    access: { permission: 'view_history' },
    summary: 'Changes in the companies that the caller sees.',
    tag: 'history',
    rules: listRulesOf('history', { isSearchable: true, sorts: ['id'], filters: { entity_id: ofNumber, change_id: ofNumber } }),
    list: (ctx, actor, query) => listHistory(ctx.reads, app.undos, actor, query),
  });
  listRoute(app, {
    path: '/history/changes',
    access: { permission: 'view_history' },
    summary: 'The same as changes: what one call did to many records is one; its rows are in the history by `change_id`.',
    tag: 'history',
    rules: listRulesOf('changes', {
      isSearchable: true,
      sorts: ['id'],
      filters: { entity_id: ofNumber },
      fieldPermissions: { from_name: 'view_companies', to_name: 'view_companies' },
    }),
    list: (ctx, actor, query) => listChanges(ctx, app.undos, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/history/export',
    access: { permission: 'view_history' },
    summary: 'The whole history that the caller sees as lines of JSON, oldest first; each line carries the SHA-256 of the line before it.',
    cost: 'file',
    mediaType: 'application/x-ndjson',
    tag: 'history',
    async handler({ ctx, actor }) {
      const file = exportHistory(ctx, actor, (after, limit) => readHistory(ctx.reads, app.undos, actor, after, limit));
      const date = new Date(ctx.clock.now()).toISOString().slice(0, 10);
      return stream(file, {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="history-${date}.jsonl"`,
      });
    },
  });
  route(app, {
    method: 'GET',
    path: '/history/check',
    access: { permission: 'super_admin' },
    summary:
      'Whether the history in the database is as it was written: each part of it is sealed with the hash of its rows and of the seal before.',
    tag: 'history',
    cost: 'figures',
    handler: async ({ ctx }) => ok(await checkHistory(ctx)),
  });
  const stops = [
    app.ctx.clock.every(MINUTE, async () => void (await sealHistory(app.ctx))),
    app.ctx.clock.every(HOUR, () => expireHistory(app.ctx)),
  ];
  app.fastify.addHook('onClose', async () => stops.forEach((stop) => stop()));
  formRoute(app, 'history/undo', async ({ ctx, actor, origin, params }) => {
    await undoChange(ctx, app.undos, { actor, origin }, params.id);
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/history/undo',
    // What one has done oneself; the right to do it is asked for again.
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'Takes back what an own call of the last 10 minutes has done, by the request number of its answer.',
    tag: 'history',
    body: undoBody,
    async handler({ ctx, actor, origin, body }) {
      const { done, errors } = await undoOwn(ctx, app.undos, { actor, origin }, body.request_id);
      return errors.length > 0 ? partial(done, errors) : ok(done);
    },
  });
  formRoute(app, 'history/undo-all', async ({ ctx, actor, origin, params }) => {
    const { done, errors } = await undoGroup(ctx, app.undos, { actor, origin }, params.id);
    return errors.length > 0 ? partial(done, errors) : ok(done);
  });
}
