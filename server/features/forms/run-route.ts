import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { englishText } from '../../../schemas/kit/form/messages.ts';
import {
  WEBHOOK_FILE_BYTES,
  type FormFile,
  type JsonSchema,
  type JsonValue,
  type SelectionInput,
} from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { ok, type Answer } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { refuseItems } from '../../kernel/body-rules.ts';
import { wireTime } from '../../kernel/clock.ts';
import { queueDelivery } from '../../domain/webhooks/queue-delivery.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { bodySchemaOf, fieldRights } from '../../kernel/form-route.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { resolveSelection } from '../../domain/jobs/selection.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type, type Static } from '../../kernel/type.ts';
import type { Catalogue, CompiledForm } from './catalogue.ts';
import { CommandError, commandOf, type DeviceVariables } from './command.ts';
import type { Deliveries } from './deliveries.ts';
import { WebhookNotSet } from './errors.ts';
import type { Drafts } from './drafts.ts';
import { access, idOf, nameParams, tag } from './file-routes.ts';
import { readFiles } from './files.ts';
import { featureOf, jobInputOf } from './job-kind.ts';
import { mayOpen } from './present.ts';
import { partSecrets, shownOf } from './secrets.ts';
import { shippedJobForms } from './shipped-jobs.ts';
import { webhookRequest } from './webhook-request.ts';

type Data = Record<string, JsonValue>;
/** What a form was sent with: its fields, or the one value that it asks for. */
type Body = JsonValue;

interface RunCall {
  ctx: Context;
  actor: Actor;
  origin: Origin;
  request: { headers: Record<string, string | string[] | undefined> };
  usable: CompiledForm;
  /** The form's own fields, with what their files hold. */
  data: Body;
  /** The same as it may be kept and shown: files by their names, passwords as `***`. */
  shown: Body;
  target: Omit<DevicesBody, 'dry_run'>;
  isDryRun: boolean;
}

const SELECTION = new Set(['device_id', 'selection', 'waves', 'starts_at', 'wait_seconds', 'maintenance_window', 'reason']);

/** Checks what a form was sent with by the rules of its file, for this person. Throws as the route of a shipped form does. */
function readBody(actor: Actor, { form, check }: CompiledForm, body: Body): Pick<RunCall, 'data' | 'target' | 'isDryRun'> {
  const { dry_run: isDryRun = false, ...fields } = isMembers(body) ? body : {};
  if (typeof isDryRun !== 'boolean') throw new InvalidFields([{ source: 'dry_run', message: 'Choose yes or no.' }]);
  const sent = isMembers(body) ? (fields as Data) : body;
  const refused = refuseItems(check(sent));
  if (refused) throw refused;
  fieldRights(form)(actor, sent);
  const isForDevices = form.submit.payload === 'devices';
  const data = isForDevices ? Object.fromEntries(Object.entries(fields as Data).filter(([name]) => !SELECTION.has(name))) : sent;
  return { data, target: isForDevices ? (fields as DevicesBody) : {}, isDryRun };
}

async function firstDevice(ctx: Context, actor: Actor, target: SelectionInput): Promise<DeviceVariables | undefined> {
  const [id] = (await resolveSelection(ctx, actor, target)).ids;
  if (id === undefined) return undefined;
  return ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.model', 'devices.firmware', 'devices.company_id'])
    .select('companies.name as company_name')
    .where('devices.id', '=', id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
}

/** The device that a command is tried for while there is none. */
const NO_DEVICE: DeviceVariables = { id: 0, name: '', serial: '', mac: '', model: '', firmware: '', company_id: 0, company_name: '' };

/** The command for one device; a value that cannot be in a command is reported at its field. */
function tryCommand(form: FormFile, data: Body, device: DeviceVariables): string {
  try {
    return commandOf(form.submit.job ?? { steps: [] }, isMembers(data) ? data : {}, device);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new InvalidFields([{ source: error.field ?? '', message: error.message }]);
  }
}

async function runJob(call: RunCall, job: NonNullable<FormFile['submit']['job']>): Promise<Answer> {
  const { ctx, actor, usable, data, shown, target, isDryRun } = call;
  const { form, version } = usable;
  tryCommand(form, data, NO_DEVICE);
  const input = jobInputOf(ctx, { form, job, version: version.number }, isMembers(data) ? (data as Data) : {});
  const answer = await answerJobRequest({ ...call, body: { ...target, dry_run: isDryRun } }, { kind: 'form', input });
  if (!isDryRun || !('body' in answer)) return answer;
  const device = await firstDevice(ctx, actor, target);
  const preview = answer.body.data as object;
  return ok({
    ...preview,
    device: device ? { id: device.id, name: device.name } : null,
    command: device ? tryCommand(form, shown, device) : null,
  });
}

function refuseDevices(key: string, params: Record<string, string | number>): InvalidFields {
  return new InvalidFields([{ source: 'device_id', message: englishText(key, params), params: { ...params, key } }]);
}

/** Refuses more devices than the form's field for them may hold, when they were chosen by a query. */
async function assertNotTooMany({ ctx, actor, usable, target }: RunCall): Promise<void> {
  const most = usable.form.schema.properties?.['device_id']?.maxItems;
  if (!target.selection || most === undefined) return;
  if ((await resolveSelection(ctx, actor, target)).ids.length > most) throw refuseDevices('validation.maxItems', { count: most });
}

/** The chosen devices for a webhook, which takes all of them or none: one that lacks what the form asks for is refused. */
async function devicesFor({ ctx, actor, usable, target }: RunCall): Promise<number[]> {
  const { ids } = await resolveSelection(ctx, actor, target);
  const feature = featureOf(usable.form);
  if (feature === undefined) return ids;
  const devices = await ctx.reads
    .selectFrom('devices')
    .select(['name', 'model', 'firmware'])
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .orderBy('devices.id')
    .execute();
  const unable = devices.find((device) => !supports(device, feature));
  if (unable) throw refuseDevices('validation.device.unsupported', { name: unable.name });
  return ids;
}

async function bodyOf(call: RunCall, data: Body): Promise<string> {
  const { ctx, actor, usable } = call;
  const { form, version } = usable;
  const ids = form.submit.payload === 'devices' ? await devicesFor(call) : undefined;
  return JSON.stringify({
    form: form.id,
    version: version.number,
    at: wireTime(ctx.clock.now()),
    user: { id: actor.userId, name: actor.name, company_id: actor.companyId },
    data,
    ...(ids ? { device_id: ids } : {}),
  });
}

async function runWebhook(call: RunCall, webhook: NonNullable<FormFile['submit']['webhook']>, deliveries: Deliveries): Promise<Answer> {
  const { ctx, actor, origin, usable, data, shown, isDryRun } = call;
  const { form, version } = usable;
  const setting = ctx.config.webhooks.get(webhook.to);
  if (!setting) throw new WebhookNotSet({ name: webhook.to });
  const path = webhook.path ?? '';
  if (isDryRun) {
    const { url, headers, body } = webhookRequest(setting, { path, body: await bodyOf(call, shown), deliveryId: 0, now: ctx.clock.now() });
    // An address may carry a key in its query or before its host.
    const address = `${url.origin}${url.pathname}`;
    return ok({
      request: { method: 'POST', url: address, headers: { ...headers, 'x-canopy-signature': 'sha256=***' }, body: JSON.parse(body) },
    });
  }
  const at = ctx.clock.now();
  const body = await bodyOf(call, data);
  const delivery = await inTransaction(ctx.db, async (trx) => {
    const user = { id: actor.userId, name: actor.name };
    const row = await queueDelivery(ctx, trx, { formId: form.id, target: webhook.to, path, body, user });
    if (!row) throw new Error('a delivery of a form is no repetition');
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'forms.run',
        entity: 'form',
        entityId: null,
        entityName: form.id,
        companyId: actor.companyId,
        before: null,
        after: { id: form.id, version: version.number, webhook: webhook.to, delivery_id: row.id, data: shown },
      },
    ]);
    return row;
  });
  const { state, status } = await deliveries.attempt(delivery);
  // 202: taken, and tried again until the other side takes it too.
  return { ...ok({ delivery_id: delivery.id, state, status }), status: state === 'delivered' ? 200 : 202 };
}

type Sent = Pick<RunCall, 'ctx' | 'actor' | 'origin' | 'request'> & {
  usable: CompiledForm | undefined;
  body: Body;
  /** The files that came with the call; undefined where none can. */
  uploads: ReadonlyMap<string, Upload> | undefined;
  /** Nothing of it happens, also where the body cannot say so. */
  isTrial?: boolean;
};

async function readFields(form: FormFile, data: Data, uploads: Sent['uploads']): Promise<{ given: Data; shown: Data }> {
  const { given, described } = await readFiles(form, data, uploads);
  return { given, shown: partSecrets(form, described).shown };
}

/** Sends a form that starts a job or calls a webhook, for a person or an automation. Throws what its rules, rights and devices refuse. */
export async function runForm({ usable, body, uploads, isTrial = false, ...caller }: Sent, deliveries: Deliveries): Promise<Answer> {
  const { job, webhook } = usable?.form.submit ?? {};
  if (!usable || (!job && !webhook)) throw new NotFound({});
  if (!mayOpen(caller.actor, usable.form)) throw new Forbidden({});
  const { ctx, actor, origin, request } = caller;
  const sent = readBody(actor, usable, body);
  const { given, shown } = isMembers(sent.data)
    ? await readFields(usable.form, sent.data as Data, uploads)
    : { given: sent.data, shown: shownOf(usable.form, sent.data) };
  const isDryRun = isTrial || sent.isDryRun;
  const call: RunCall = { ctx, actor, origin, request, usable, ...sent, isDryRun, data: given, shown };
  await assertNotTooMany(call);
  if (job) return runJob(call, job);
  return webhook ? runWebhook(call, webhook, deliveries) : ok();
}

/** How the texts of a form's parts are read. */
function partsOf(usable: CompiledForm | undefined): JsonSchema {
  if (!usable) throw new NotFound({});
  const { properties, ...schema } = bodySchemaOf(usable.form) as JsonSchema;
  return { ...schema, properties: { ...properties, dry_run: { type: 'boolean' } } };
}

/** Registers the route that every form with a device job or a webhook is sent to. The sender holds the form's own permission. */
export function registerRun(app: App, catalogue: Catalogue, deliveries: Deliveries): void {
  const shipped = shippedJobForms();
  // An added form that replaces a shipped one has its id.
  const find = (id: string): CompiledForm | undefined => catalogue.find(id)?.usable ?? shipped.get(id);
  route(app, {
    method: 'POST',
    path: '/forms/:room/:name/run',
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'Sends a form that starts a device job or calls a webhook. `dry_run` answers what would be sent.',
    tag,
    params: nameParams,
    body: Type.Unsafe<Body>({}),
    maxFileBytes: WEBHOOK_FILE_BYTES,
    partsSchema: ({ params }) => partsOf(find(idOf(params as Static<typeof nameParams>))),
    handler: ({ params, body, ...caller }) =>
      runForm({ ...caller, usable: find(idOf(params)), body, uploads: caller.request.uploads }, deliveries),
  });
}

/** Registers trying a text that is not saved: what it would send, and nothing of it happens. */
export function registerDryRun(app: App, drafts: Drafts, deliveries: Deliveries): void {
  route(app, {
    method: 'POST',
    path: '/forms/check/dry-run',
    access,
    summary: 'Tries a form that was just judged, named by its hash, with such data: what would be sent.',
    tag,
    body: Type.Object({ hash: Type.String({ maxLength: 32 }), data: Type.Unsafe<Body>({}) }, { additionalProperties: false }),
    handler: ({ body: { hash, data }, ...caller }) =>
      runForm(
        {
          ...caller,
          usable: drafts.find(hash),
          body: isMembers(data) ? { ...(data as Data), dry_run: true } : data,
          isTrial: true,
          uploads: undefined,
        },
        deliveries,
      ),
  });
}
