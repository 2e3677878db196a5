import { SECOND } from '../../kernel/clock.ts';
import { bodySchemaOf, isPermission, isUnattended, UNATTENDED } from '../../kernel/form-route.ts';
import type { App, RouteInfo } from '../../kernel/route.ts';
import { registerBundles } from './bundle-routes.ts';
import { createCatalogue, type Catalogue, type CompiledForm } from './catalogue.ts';
import { registerForConsole } from './console-routes.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { registerFiles } from './file-routes.ts';
import { createDrafts } from './drafts.ts';
import { createInspector } from './inspector.ts';
import { formKind } from './job-kind.ts';
import { registerDryRun, registerRun, runForm } from './run-route.ts';
import { readFormContext } from './form-context.ts';
import { shippedJobForms } from './shipped-jobs.ts';
import { registerVersions } from './version-routes.ts';
import { watchFolder } from '../../kernel/watch-folder.ts';
import type { Context } from '../../context.ts';
import type { DeviceFormSource, DeviceForm } from '../../kernel/device-forms.ts';

/** What a watch misses (network drives, a folder that was replaced) is found by this scan. */
const SCAN_MS = 10 * SECOND;

/** The calls of forms that start a device job or a webhook, for the API description. */
function describeAdded(catalogue: Catalogue): RouteInfo[] {
  const added = catalogue.all().flatMap(({ usable }) => (usable ? [usable] : []));
  return [...added, ...shippedJobForms().values()].flatMap(({ form }): RouteInfo[] => {
    if ((!form.submit.job && !form.submit.webhook) || !isPermission(form.permission)) return [];
    const body = bodySchemaOf(form);
    const none = undefined;
    return [
      {
        method: 'POST',
        path: `/api/forms/${form.id}/run`,
        access: { permission: form.permission },
        summary: `Sends the form ${form.id}`,
        tag: 'forms',
        params: none,
        query: none,
        body,
        proof: none,
        onlyInPerson: false,
        forPrograms: false,
        cost: undefined,
        programs: undefined,
        mediaType: undefined,
        answer: undefined,
        answersAs: 'POST /api/forms/:room/:name/run',
        tokens: none,
      },
    ];
  });
}

/** The forms room: files that integrators add, from the folder to the console, and what they start. */
export async function registerForms(app: App): Promise<void> {
  const { ctx, fastify } = app;
  const { formsDir } = ctx.config;
  const warn = (error: unknown): void => ctx.log.warn({ err: error }, 'the folder of added forms could not be looked at');
  const inspector = createInspector(() => readFormContext(app.routes), warn);
  const catalogue = createCatalogue(ctx, inspector);
  const drafts = createDrafts(ctx.clock);
  const deliveries = createDeliveries(ctx);
  ctx.jobs.register(formKind(ctx));
  registerForConsole(app, catalogue, drafts);
  registerFiles(app, catalogue, drafts);
  registerVersions(app, catalogue, deliveries);
  registerBundles(app, catalogue);
  registerRun(app, catalogue, deliveries);
  registerDryRun(app, drafts, deliveries);
  ctx.deviceForms.addSource(unattendedForms(ctx, catalogue, deliveries));
  app.describeMore.push(() => describeAdded(catalogue));

  await catalogue.refresh().catch(warn);
  const scan = (): Promise<void> => catalogue.refresh().catch(warn);
  const stopWatching = watchFolder(formsDir, () => void scan(), warn);
  const stopLooking = ctx.clock.every(SCAN_MS, scan);
  deliveries.start();
  fastify.addHook('onClose', async () => {
    stopWatching();
    stopLooking();
    deliveries.stop();
    await catalogue.settled();
    await inspector[Symbol.asyncDispose]();
  });
}

/** The added forms, and the shipped ones that start a device job, as automations send them. An added form that replaces a shipped one has its id. */
export function unattendedForms(ctx: Context, catalogue: Catalogue, deliveries: Deliveries): DeviceFormSource {
  const shipped = shippedJobForms();
  const ready = (usable: CompiledForm | undefined): DeviceForm | undefined => {
    if (!usable || !(usable.form.submit.job ?? usable.form.submit.webhook) || !isUnattended(usable.form)) return undefined;
    const { form, check } = usable;
    const send: DeviceForm['send'] = ({ actor, body, key }) => {
      const request = { headers: { 'idempotency-key': key } };
      return runForm({ ctx, actor, origin: UNATTENDED, request, usable, body, uploads: undefined }, deliveries);
    };
    return { form, check, send };
  };
  return {
    find: (id) => ready(catalogue.find(id)?.usable ?? shipped.get(id)),
    all: () => [...shipped.values(), ...catalogue.all().flatMap(({ usable }) => usable ?? [])].flatMap((usable) => ready(usable) ?? []),
  };
}
