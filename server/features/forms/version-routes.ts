import { ok } from '../../kernel/answer.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { Catalogue } from './catalogue.ts';
import { listDeliveries, type Deliveries } from './deliveries.ts';
import { access, idOf, nameParams, tag } from './file-routes.ts';
import { etagOf, hashIn, presentAdded } from './present.ts';
import { findVersion, findVersions } from './repo.ts';

const versionParams = Type.Object({
  room: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 64 }),
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

/** Registers the past of forms: their versions, and what their webhooks did. */
export function registerVersions(app: App, catalogue: Catalogue, deliveries: Deliveries): void {
  route(app, {
    method: 'GET',
    path: '/forms/:room/:name/versions',
    access,
    summary: 'The versions of an added form, newest first, removed forms too.',
    tag,
    params: nameParams,
    async handler({ ctx, params }) {
      const rows = await findVersions(ctx.reads, idOf(params));
      if (rows.length === 0) throw new NotFound({});
      return ok(
        rows.map((row) => ({ ...row, at: wireTime(row.at) })),
        { total: rows.length },
      );
    },
  });
  route(app, {
    method: 'GET',
    path: '/forms/:room/:name/versions/:number',
    access,
    summary: 'One version of an added form with its text.',
    tag,
    params: versionParams,
    async handler({ ctx, params }) {
      const row = await findVersion(ctx.reads, idOf(params), params.number);
      if (!row) throw new NotFound({});
      const { form_id: _id, ...version } = row;
      return ok({ ...version, at: wireTime(row.at) });
    },
  });
  route(app, {
    method: 'POST',
    path: '/forms/:room/:name/versions/:number/restore',
    access,
    summary: 'Saves the text of a former version as the newest one. `If-Match` as for saving.',
    tag,
    params: versionParams,
    async handler({ ctx, actor, origin, params, request, reply }) {
      const id = idOf(params);
      const row = await findVersion(ctx.db, id, params.number);
      if (!row) throw new NotFound({});
      const over = hashIn(request.headers['if-match']);
      const saving = { id, text: row.text, over, note: `← ${row.number}`, action: 'forms.restore' } as const;
      const saved = await catalogue.save({ actor, origin }, saving);
      reply.header('etag', etagOf(row.text));
      return ok(presentAdded(saved));
    },
  });
  route(app, {
    method: 'GET',
    path: '/forms/:room/:name/deliveries',
    access,
    summary: 'The newest calls of a form’s webhook with each try.',
    tag,
    params: nameParams,
    handler: async ({ ctx, params }) => ok(await listDeliveries(ctx, idOf(params))),
  });
  route(app, {
    method: 'POST',
    path: '/forms/:room/:name/deliveries/:number/retry',
    access,
    summary: 'Tries a call of the form’s webhook now instead of later, or once more after it failed.',
    tag,
    params: versionParams,
    handler: async ({ actor, origin, params }) => ok(await deliveries.retry({ actor, origin }, idOf(params), params.number)),
  });
}
