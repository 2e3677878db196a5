import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import {
  addAnnouncement,
  dismissAnnouncements,
  editAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listOwnAnnouncements,
  removeAnnouncement,
} from './service.ts';

const tag = 'announcements';
const access = { permission: 'super_admin' } as const;

const seenBody = Type.Object(
  { id: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);

/** Registers announcements: what system administrators publish, and what each person has seen. */
export function registerAnnouncements(app: App): void {
  listRoute(app, {
    path: '/system/announcements',
    access,
    summary: 'All announcements.',
    tag,
    rules: listRulesOf('announcements'),
    list: (ctx, _actor, query) => listAnnouncements(ctx.reads, query),
  });
  route(app, {
    method: 'GET',
    path: '/system/announcements/:id',
    access,
    summary: 'One announcement.',
    tag,
    params: idParams,
    handler: async ({ ctx, params }) => ok(await getAnnouncement(ctx.reads, params.id)),
  });
  formRoute(app, 'announcements/new', async ({ ctx, actor, origin, body }) =>
    created({ id: await addAnnouncement(ctx, { actor, origin }, body) }),
  );
  formRoute(app, 'announcements/edit', async ({ ctx, actor, origin, params, body }) => {
    await editAnnouncement(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'announcements/remove', async ({ ctx, actor, origin, params }) => {
    await removeAnnouncement(ctx, { actor, origin }, params.id);
    return ok();
  });
  route(app, {
    method: 'GET',
    path: '/announcements',
    access: 'signed-in',
    tokens: 'none',
    summary: 'The announcements for the caller at present.',
    tag,
    handler: async ({ ctx, actor }) => ok(await listOwnAnnouncements(ctx, actor)),
  });
  route(app, {
    method: 'PUT',
    path: '/announcements',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Keeps that the caller has looked at announcements.',
    tag,
    body: seenBody,
    async handler({ ctx, actor, body }) {
      await dismissAnnouncements(ctx, actor, body.id);
      return ok();
    },
  });
}
