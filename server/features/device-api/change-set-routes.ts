import { Type, type Static } from '../../kernel/type.ts';
import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { applyChangeSet, readChangeSet, undoChangeSet } from './apply-change-set.ts';
import { addChangeSet, addEdit, approve, listChangeSets, presentChangeSet, removeChangeSet, removeEdit, requireChangeSet, returnToDraft, sendToReview } from './change-sets.ts'; // prettier-ignore
import { planFor } from './configure.ts';
import { editsBody } from './configure-body.ts';

const access = { permission: 'create_multi_configuration' } as const;
const tag = 'device multi configuration';
const BASE = '/devices/configurator/change-sets';

const newBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    configuration: editsBody,
  },
  { additionalProperties: false },
);
const editBody = Type.Object({ configuration: editsBody }, { additionalProperties: false });
const numberParams = Type.Object({ id: Type.Integer({ minimum: 1 }), number: Type.Integer({ minimum: 1, maximum: 1000 }) });

export type NewChangeSet = Static<typeof newBody>;

/** Registers change sets: edits of settings that are drafted, reviewed, applied and undone as one. */
export function registerChangeSets(app: App): void {
  listRoute(app, {
    path: BASE,
    access,
    summary: 'Change sets: edits of settings that are drafted, reviewed, applied and undone as one.',
    tag,
    rules: listRulesOf('change-sets', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listChangeSets(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/:id`,
    access,
    summary: 'One change set.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(presentChangeSet(await requireChangeSet(ctx.reads, actor, params.id))),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/:id/edits`,
    access,
    summary: 'The edits of a change set, and what it changes on each device; secrets are `***`.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readChangeSet(ctx, actor, params.id)),
  });
  route(app, {
    method: 'POST',
    path: BASE,
    access,
    summary: 'Drafts a change set; nothing is changed yet.',
    tag,
    body: newBody,
    async handler({ ctx, actor, origin, body }) {
      const { name, description = '', configuration: calls } = body;
      await planFor(ctx, actor, calls);
      const id = await addChangeSet(ctx, { actor, origin }, { name, description, calls });
      return created({ id }, { id });
    },
  });
  route(app, {
    method: 'POST',
    path: `${BASE}/:id/edits`,
    access,
    summary: 'Adds an edit to a draft.',
    tag,
    params: idParams,
    body: editBody,
    async handler({ ctx, actor, origin, params, body }) {
      await requireChangeSet(ctx.reads, actor, params.id);
      await planFor(ctx, actor, body.configuration);
      await addEdit(ctx, { actor, origin }, params.id, body.configuration);
      return ok();
    },
  });
  route(app, {
    method: 'DELETE',
    path: `${BASE}/:id/edits/:number`,
    access,
    summary: 'Takes an edit out of a draft.',
    tag,
    params: numberParams,
    async handler({ ctx, actor, origin, params }) {
      await removeEdit(ctx, { actor, origin }, params.id, params.number);
      return ok();
    },
  });
  registerSteps(app);
}

function registerSteps(app: App): void {
  formRoute(app, 'change-sets/review', async ({ ctx, actor, origin, params }) => {
    await sendToReview(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(
    app,
    'change-sets/approve',
    async ({ ctx, actor, origin, params, body }) => {
      await approve(ctx, { actor, origin }, params.id, body.note ?? '');
      return ok();
    },
    // A second person reviews: an author could make a program that approves.
    { tokens: 'none' },
  );
  formRoute(app, 'change-sets/return', async ({ ctx, actor, origin, params, body }) => {
    await returnToDraft(ctx, { actor, origin }, params.id, body.note);
    return ok();
  });
  formRoute(app, 'change-sets/apply', ({ body, ...call }) =>
    applyChangeSet({ ...call, body: { reason: body.reason ?? '' } }, call.params.id, body.confirm_seconds),
  );
  formRoute(app, 'change-sets/undo', ({ body, ...call }) =>
    undoChangeSet({ ...call, body: { reason: body.reason ?? '' } }, call.params.id, body.confirm_seconds),
  );
  formRoute(app, 'change-sets/remove', async ({ ctx, actor, origin, params }) => {
    await removeChangeSet(ctx, { actor, origin }, params.id);
    return ok();
  });
}
