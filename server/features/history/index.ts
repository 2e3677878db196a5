import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { listHistory } from './repo.ts';

/** Registers the history room: who changed what, with before and after. */
export function registerHistory(app: App): void {
  listRoute(app, {
    path: '/history',
    access: { permission: 'view_history' },
    summary: 'Changes in the companies that the caller sees.',
    tag: 'history',
    rules: listRulesOf('history', { sorts: ['id'], filters: { entity_id: { kind: 'integer', isNegatable: false } } }),
    list: (ctx, actor, query) => listHistory(ctx.reads, actor, query),
  });
}
