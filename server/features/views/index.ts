import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { entityFields } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { addView, editView, listViews, removeView } from './service.ts';

/** Registers the saved views of lists. */
export function registerViews(app: App): void {
  listRoute(app, {
    path: '/views',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Saved views of lists: the own ones, and those that are shared with the caller.',
    tag: 'views',
    rules: {
      sorts: new Set(['name']),
      filters: new Map([['resource', { kind: 'text', isNegatable: false }]]),
      fields: new Map(entityFields('view').map((field) => [field, undefined])),
      defaultSort: { key: 'name', isDescending: false },
      isSearchable: false,
    },
    list: (ctx, actor, query) => listViews(ctx.reads, actor, query),
  });
  formRoute(app, 'views/new', async ({ ctx, actor, origin, body }) => created({ id: await addView(ctx, { actor, origin }, body) }), {
    tokens: 'none',
  });
  formRoute(
    app,
    'views/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editView(ctx, { actor, origin }, params.id, body);
      return ok();
    },
    { tokens: 'none' },
  );
  formRoute(
    app,
    'views/remove',
    async ({ ctx, actor, origin, params }) => {
      await removeView(ctx, { actor, origin }, params.id);
      return ok();
    },
    { tokens: 'none' },
  );
}
