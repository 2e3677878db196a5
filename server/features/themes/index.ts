import { ok, stream } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { removeModelPicture, setModelPicture } from './model-pictures.ts';
import { getPicture } from './pictures.ts';
import { getTheme, setTheme } from './service.ts';

const tag = 'themes';

/** Registers the room of themes: the branding of a top-level company and of its host name. */
export function registerThemes(app: App): void {
  route(app, {
    method: 'GET',
    path: '/themes/:id',
    access: { permission: 'update_themes' },
    summary: 'The theme that the people of a company see.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getTheme(ctx, actor, params.id)),
  });
  formRoute(app, 'themes/edit', async ({ ctx, actor, origin, params, body, request }) => {
    const { favicon, logo_vector } = body;
    await setTheme(ctx, { actor, origin }, params.id, body, {
      ...(favicon === undefined ? {} : { favicon: requireUpload(request, 'favicon', favicon) }),
      ...(logo_vector === undefined ? {} : { logo_vector: requireUpload(request, 'logo_vector', logo_vector) }),
    });
    return ok();
  });
  formRoute(app, 'themes/model-picture', async ({ ctx, actor, origin, params, body, request }) => {
    await setModelPicture(ctx, { actor, origin }, params.id, body.original_model, () =>
      requireUpload(request, 'model_image', body.model_image),
    );
    return ok();
  });
  formRoute(app, 'themes/remove-model-picture', async ({ ctx, actor, origin, params, body }) => {
    await removeModelPicture(ctx, { actor, origin }, params.id, body.original_model);
    return ok();
  });
  route(app, {
    method: 'GET',
    path: '/theme-pictures/:key',
    access: 'public',
    summary: 'The logo or icon of a theme.',
    mediaType: 'image/*',
    tag,
    params: Type.Object({ key: Type.String({ maxLength: 100 }) }),
    async handler({ ctx, params }) {
      const { type, bytes } = await getPicture(ctx, params.key);
      return stream(bytes, {
        'content-type': type,
        'cache-control': 'public, max-age=86400, immutable',
        // A drawing can hold scripts; opened by itself it still does nothing.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'content-disposition': 'attachment',
      });
    },
  });
}
