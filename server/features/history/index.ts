import { ok, stream } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { exportHistory } from './export.ts';
import { listHistory, readHistory } from './repo.ts';
import { undoChange } from './undo.ts';

/** Registers the history room: who changed what, with before and after. */
export function registerHistory(app: App): void {
  listRoute(app, {
    path: '/history',
    access: { permission: 'view_history' },
    summary: 'Changes in the companies that the caller sees.',
    tag: 'history',
    rules: listRulesOf('history', { sorts: ['id'], filters: { entity_id: { kind: 'integer', isNegatable: false } } }),
    list: (ctx, actor, query) => listHistory(ctx.reads, app.undos, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/history/export',
    access: { permission: 'view_history' },
    summary: 'The whole history that the caller sees as lines of JSON, oldest first; each line carries the SHA-256 of the line before it.',
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
  formRoute(app, 'history/undo', async ({ ctx, actor, origin, params }) => {
    await undoChange(ctx, app.undos, { actor, origin }, params.id);
    return ok();
  });
}
