import { Type } from '../../kernel/type.ts';
import { ok } from '../../kernel/answer.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { route, type App } from '../../kernel/route.ts';
import { listSettings, removeSetting, saveSetting } from './service.ts';

const MAX_BODY_BYTES = 64 * 1024;
const tag = 'storage';

// `table.devices.columns`, `nav.isCollapsed`
const keySchema = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$' });
const keyParams = Type.Object({ key: keySchema });
const valueBody = Type.Object({ value: Type.Unknown() }, { additionalProperties: false });
const settingBody = Type.Object({ key: keySchema, value: Type.Unknown() }, { additionalProperties: false });

/** Registers the storage room: each user's own settings of the console. They are preferences, so they are not in the history. */
export function registerStorage(app: App): void {
  listRoute(app, {
    path: '/storage',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Own settings.',
    tag,
    rules: {
      sorts: new Set(['key']),
      filters: new Map(),
      fields: new Map([
        ['key', undefined],
        ['value', undefined],
      ]),
      defaultSort: { key: 'key', isDescending: false },
      isSearchable: false,
    },
    list: listSettings,
  });
  route(app, {
    method: 'POST',
    path: '/storage',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Keeps a setting.',
    tag,
    body: settingBody,
    bodyLimit: MAX_BODY_BYTES,
    async handler({ ctx, actor, body }) {
      await saveSetting(ctx, actor, body.key, body.value);
      return ok({ key: body.key, value: body.value });
    },
  });
  route(app, {
    method: 'PUT',
    path: '/storage/:key',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Changes a setting.',
    tag,
    params: keyParams,
    body: valueBody,
    bodyLimit: MAX_BODY_BYTES,
    async handler({ ctx, actor, params, body }) {
      await saveSetting(ctx, actor, params.key, body.value);
      return ok({ key: params.key, value: body.value });
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/storage/:key',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Forgets a setting.',
    tag,
    params: keyParams,
    async handler({ ctx, actor, params }) {
      await removeSetting(ctx, actor, params.key);
      return ok();
    },
  });
}
