import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { route, type App } from '../../kernel/route.ts';
import { registerChangeSets } from './change-set-routes.ts';
import { registerConfigurator } from './configure-routes.ts';
import { registerTemplates } from './template-routes.ts';
import { keepDescription, listDescriptions } from './service.ts';

/** Registers the room of the API descriptions that devices of a system follow. */
export function registerDeviceApi(app: App): void {
  registerConfigurator(app);
  registerTemplates(app);
  registerChangeSets(app);
  route(app, {
    method: 'GET',
    path: '/devices/configurator/specifications',
    access: { permission: 'super_admin' },
    summary: 'The API descriptions of device systems.',
    tag: 'devices',
    handler: async ({ ctx }) => ok(await listDescriptions(ctx)),
  });
  formRoute(
    app,
    'devices/api-description',
    async ({ ctx, actor, origin, body, request, signal }) => {
      const upload = requireUpload(request, 'file', body.file);
      const file = { system: body.system, upload, isOverwriting: body.overwrite === true };
      return created(await keepDescription(ctx, { actor, origin }, file, signal));
    },
    { cost: 'processor' },
  );
}
