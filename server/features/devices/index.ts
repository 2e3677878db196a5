import { registerSelection } from '../../domain/jobs/selection.ts';
import type { App } from '../../kernel/route.ts';
import { registerAuthorizedDevices } from './authorized.ts';
import { registerBin } from './bin-routes.ts';
import { registerDeviceEvents } from './event-routes.ts';
import { registerDeviceReads } from './list-routes.ts';
import { resolveDevices } from './selection.ts';
import { registerDeviceTags } from './tag-routes.ts';
import { registerTagRules } from './tag-rules.ts';
import { registerDeviceUndos } from './undo.ts';
import { registerDeviceWrites } from './write-routes.ts';

/** Registers the devices room. */
export function registerDevices(app: App): void {
  registerSelection(app.ctx, resolveDevices);
  registerDeviceReads(app);
  registerAuthorizedDevices(app);
  registerDeviceEvents(app);
  registerDeviceWrites(app);
  registerDeviceTags(app);
  registerTagRules(app);
  registerDeviceUndos(app);
  registerBin(app);
}
