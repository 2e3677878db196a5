import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { shippedContract } from '../../kernel/shipped-contract.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { created, ok } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { Context } from '../../context.ts';
import { runDueComparisons } from './compare-at-night.ts';
import { ConfigurationUnchanged } from './errors.ts';
import { compareFollowers, differingDevices, getDrift, listDrift } from './drift.ts';
import { importTemplate } from './import-template.ts';
import { TAKE_OVER_KIND, takeOverKind, TEMPLATE_KIND, templateKind, type TemplateInput } from './template-kind.ts';
import {
  addTemplate,
  changeTemplate,
  editTemplate,
  getTemplate,
  listRevisions,
  listTemplates,
  removeTemplate,
  requireTemplate,
} from './templates.ts';
import { addVariable, editVariable, getVariable, listVariables, removeVariable } from './variables.ts';

const access = { permission: 'create_multi_configuration' } as const;
const tag = 'device multi configuration templates';
const BASE = '/devices/configurator';

/** A job that puts a template on devices. */
const templateJob = (template_id: number, confirm_seconds?: number): { kind: string; input: TemplateInput } => ({
  kind: TEMPLATE_KIND,
  input: { template_id, template_name: '', ...(confirm_seconds === undefined ? {} : { confirm_seconds }) },
});

function registerTemplateRecords(app: App): void {
  listRoute(app, {
    path: `${BASE}/templates`,
    access,
    summary: 'Configuration templates; `template` is JSON.',
    tag,
    rules: listRulesOf('configuration-templates', { sorts: ['id'] }),
    list: (ctx, actor, query) => listTemplates(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/templates/:id`,
    access,
    summary: 'One configuration template.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getTemplate(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/templates/:id/revisions`,
    access,
    summary: 'The versions of a configuration template, newest first.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listRevisions(ctx, actor, params.id)),
  });
  formRoute(app, 'configuration-templates/new', async ({ ctx, actor, origin, body }) => {
    // The schema of the form has this shape.
    const id = await addTemplate(ctx, { actor, origin }, body as typeof body & { template?: TemplateCall[] });
    return created({ id }, { id });
  });
  formRoute(app, 'configuration-templates/import', async ({ ctx, actor, origin, body }) => {
    const id = await importTemplate(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'configuration-templates/edit', async ({ ctx, actor, origin, params, body }) => {
    await editTemplate(ctx, { actor, origin }, params.id, body);
    await compareFollowers(ctx, { templateId: params.id });
    return ok();
  });
  formRoute(app, 'configuration-templates/remove', async ({ ctx, actor, origin, params }) => {
    await removeTemplate(ctx, { actor, origin }, params.id);
    return ok();
  });
  const { properties, definitions } = shippedContract().forms['configuration-templates/new']?.schema ?? {};
  route(app, {
    method: 'PUT',
    path: `${BASE}/templates/:id/content`,
    access,
    summary: 'Changes the settings of a configuration template; `revision` is that of the one that was read.',
    tag,
    params: idParams,
    body: Type.Unsafe<{ revision: number; version: string; template: TemplateCall[] }>({
      type: 'object',
      additionalProperties: false,
      required: ['revision', 'version', 'template'],
      properties: {
        revision: { type: 'integer', minimum: 1, maximum: 1e9 },
        version: { type: 'string', minLength: 1, maxLength: 40 },
        template: properties?.['template'] ?? {},
      },
      definitions,
    }),
    async handler({ ctx, actor, origin, params, body }) {
      await changeTemplate(ctx, { actor, origin }, params.id, body);
      await compareFollowers(ctx, { templateId: params.id });
      return ok(await getTemplate(ctx, actor, params.id));
    },
  });
}

function registerApplying(app: App): void {
  formRoute(app, 'configuration-templates/use', async (call) => {
    const { device_id, confirm_seconds } = call.body;
    await requireTemplate(call.ctx.reads, call.actor, call.params.id);
    return answerJobRequest({ ...call, body: { device_id } }, templateJob(call.params.id, confirm_seconds));
  });
  formRoute(app, 'devices/apply-template', (call) => {
    const { template_id, confirm_seconds, ...devices }: FormData['devices/apply-template'] & DevicesBody = call.body;
    return answerJobRequest({ ...call, body: devices }, templateJob(template_id, confirm_seconds));
  });
  formRoute(app, 'configuration-templates/make-equal', async (call) => {
    await requireTemplate(call.ctx.reads, call.actor, call.params.id);
    const device_id = await differingDevices(call.ctx.reads, call.actor, call.params.id);
    if (device_id.length === 0) throw new ConfigurationUnchanged({});
    return answerJobRequest({ ...call, body: { device_id } }, templateJob(call.params.id));
  });
  formRoute(app, 'configuration-drift/make-equal', async (call) => {
    const { device_id, template_id } = await getDrift(call.ctx.reads, call.actor, call.params.id);
    return answerJobRequest({ ...call, body: { device_id: [device_id] } }, templateJob(template_id));
  });
  formRoute(app, 'configuration-drift/take-over', async (call) => {
    const { device_id, template_id, template_name } = await getDrift(call.ctx.reads, call.actor, call.params.id);
    const input = { template_id, template_name };
    return answerJobRequest({ ...call, body: { device_id: [device_id] } }, { kind: TAKE_OVER_KIND, input });
  });
  formRoute(app, 'configuration-drift/unfollow', async ({ ctx, actor, origin, params }) => {
    await unfollow(ctx, { actor, origin }, params.id);
    return ok();
  });
}

async function unfollow(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { device_id, device_name, template_id, template_name } = await getDrift(trx, actor, id);
    const { company_id: companyId } = await requireTemplate(trx, actor, template_id);
    await trx.deleteFrom('device_templates').where('id', '=', id).execute();
    const entry = { action: 'configuration-templates.unfollow', entity: 'device', entityId: device_id, entityName: device_name, companyId };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: { template_id, template_name }, after: null }]);
  });
}

function registerVariables(app: App): void {
  listRoute(app, {
    path: `${BASE}/variables`,
    access,
    summary: 'Variables that configuration templates name, of companies, tags and devices; secret ones are `***`.',
    tag,
    rules: listRulesOf('configuration-variables', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listVariables(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/variables/:id`,
    access,
    summary: 'One variable.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getVariable(ctx, actor, params.id)),
  });
  const compare = (ctx: Context, { companyPath }: Actor) => compareFollowers(ctx, { path: companyPath });
  formRoute(app, 'configuration-variables/new', async ({ ctx, actor, origin, body }) => {
    const id = await addVariable(ctx, { actor, origin }, body);
    await compare(ctx, actor);
    return created({ id }, { id });
  });
  formRoute(app, 'configuration-variables/edit', async ({ ctx, actor, origin, params, body }) => {
    await editVariable(ctx, { actor, origin }, params.id, body);
    await compare(ctx, actor);
    return ok();
  });
  formRoute(app, 'configuration-variables/remove', async ({ ctx, actor, origin, params }) => {
    await removeVariable(ctx, { actor, origin }, params.id);
    await compare(ctx, actor);
    return ok();
  });
}

/** Runs templates that are due, from the start to the stop of the server. */
function compareAtNight({ ctx, fastify }: App): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(MINUTE, () => (running = runDueComparisons(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

/** Registers configuration templates, their variables, and how devices differ from them. */
export function registerTemplates(app: App): void {
  app.ctx.jobs.register(templateKind(app.ctx));
  app.ctx.jobs.register(takeOverKind);
  compareAtNight(app);
  registerTemplateRecords(app);
  registerApplying(app);
  registerVariables(app);
  listRoute(app, {
    path: `${BASE}/drift`,
    access,
    summary: 'Devices that follow configuration templates, and how they differ from them.',
    tag,
    rules: listRulesOf('configuration-drift', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listDrift(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: `${BASE}/drift/:id`,
    access,
    summary: 'How one device differs from one template.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getDrift(ctx.reads, actor, params.id)),
  });
}
