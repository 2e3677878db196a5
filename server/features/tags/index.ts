import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { changedTexts } from '../../kernel/undo.ts';
import { registerTagActions } from './action-routes.ts';
import { presentTag } from './present.ts';
import { findTagActions } from '../../domain/tags/tag-actions.ts';
import { listTags } from './repo.ts';
import { restoreTag } from './restore.ts';
import { registerTagValues } from './value-routes.ts';
import { createTag, editTag, findUsage, getTag, removeTag } from './service.ts';

const access = { permission: 'view_tags' } as const;

/** Registers the tags room. */
export function registerTags(app: App): void {
  app.undos.set('tags.edit', {
    permission: 'update_tags',
    one: (ctx, caller, change) => editTag(ctx, caller, change.entityId, changedTexts(change, ['name', 'description', 'color'])),
  });
  app.undos.set('tags.remove', { permission: 'create_tags', one: restoreTag });
  registerTagActions(app);
  registerTagValues(app);
  listRoute(app, {
    path: '/tags',
    access,
    summary: 'Tags of the companies that the caller sees.',
    tag: 'tags',
    rules: listRulesOf('tags', { sorts: ['id', 'device_count'], fieldPermissions: { actions: 'view_device_actions' } }),
    async list(ctx, actor, query) {
      const { rows, total } = await listTags(ctx.reads, actor, query);
      const actions = await findTagActions(
        ctx.reads,
        actor,
        rows.map((row) => row.id),
      );
      return { rows: rows.map((row) => presentTag(row, actions)), total };
    },
  });
  route(app, {
    method: 'GET',
    path: '/tags/:id',
    access,
    summary: 'One tag.',
    tag: 'tags',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getTag(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/tags/:id/usage',
    access,
    summary: 'Where a tag is used: devices, enrolment codes that give it, actions.',
    tag: 'tags',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await findUsage(ctx, actor, params.id)),
  });
  formRoute(app, 'tags/new', async ({ ctx, actor, origin, body }) =>
    created(await getTag(ctx, actor, await createTag(ctx, { actor, origin }, body))),
  );
  formRoute(
    app,
    'tags/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editTag(ctx, { actor, origin }, params.id, body);
      return ok(await getTag(ctx, actor, params.id));
    },
    { optional: ['name'] },
  );
  formRoute(app, 'tags/remove', async ({ ctx, actor, origin, params }) => {
    await removeTag(ctx, { actor, origin }, params.id);
    return ok();
  });
}
