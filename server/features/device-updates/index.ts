import type { App } from '../../kernel/route.ts';
import { captureKind } from './capture-kind.ts';
import { downloadKinds } from './download-kinds.ts';
import { firstContactKind } from './first-contact-kind.ts';
import { registerUpdateForms } from './form-routes.ts';
import { speedKind } from './speed-kind.ts';
import { updateKinds } from './update-kinds.ts';
import { registerUpdateRoutes } from './update-routes.ts';

/** Registers the room of what is put on devices and taken from them: firmware, settings, logs. */
export function registerDeviceUpdates(app: App): void {
  for (const kind of downloadKinds) app.ctx.jobs.register(kind);
  for (const kind of updateKinds) app.ctx.jobs.register(kind);
  app.ctx.jobs.register(firstContactKind);
  app.ctx.jobs.register(captureKind);
  app.ctx.jobs.register(speedKind);
  registerUpdateForms(app);
  registerUpdateRoutes(app);
}
