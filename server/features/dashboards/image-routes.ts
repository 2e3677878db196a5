import { created, ok, stream, type Answer } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addImage, editImage, getImage, listImages, readImage, removeImage } from './images.ts';

const access = { permission: 'view_device_dashboard' } as const;
const tag = 'dashboards';
const IMAGES_PER_MINUTE = 30;

function picture({ type, bytes }: { type: string; bytes: Buffer }): Answer {
  return stream(bytes, { 'content-type': type, 'cache-control': 'private, max-age=86400, immutable' });
}

/** Registers the images behind widgets of dashboards. */
export function registerImages(app: App): void {
  listRoute(app, {
    path: '/images',
    access,
    summary: 'Images for widgets of dashboards.',
    tag,
    rules: listRulesOf('images', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listImages(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/images/:id',
    access,
    summary: 'An image: its bytes, at most 2,560 pixels a side.',
    mediaType: 'image/*',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => picture(await readImage(ctx.reads, actor, params.id, 'bytes')),
  });
  route(app, {
    method: 'GET',
    path: '/images/:id/thumbnail',
    access,
    summary: 'An image in small: its bytes, at most 320 pixels a side.',
    mediaType: 'image/*',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => picture(await readImage(ctx.reads, actor, params.id, 'thumbnail')),
  });
  route(app, {
    method: 'GET',
    path: '/images/:id/info',
    access,
    summary: 'What is known of an image.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getImage(ctx.reads, actor, params.id)),
  });
  formRoute(
    app,
    'images/new',
    async ({ ctx, actor, origin, body, request, signal }) => {
      const { company_id: companyId = actor.companyId, description = '' } = body;
      const upload = requireUpload(request, 'image', body.image);
      const id = await addImage(ctx, { actor, origin }, { upload, companyId, description }, signal);
      return created({ id }, { id });
    },
    { cost: 'picture', ratePerMinute: IMAGES_PER_MINUTE },
  );
  formRoute(app, 'images/edit', async ({ ctx, actor, origin, params, body }) => {
    await editImage(ctx, { actor, origin }, params.id, body.description);
    return ok();
  });
  formRoute(app, 'images/remove', async ({ ctx, actor, origin, params }) => {
    await removeImage(ctx, { actor, origin }, params.id);
    return ok();
  });
}
