import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import { readCustomText } from '../../../schemas/kit/devices/custom-text.ts';
import { created, ok, partial, type Answer } from '../../kernel/answer.ts';
import { SECOND, wireTime } from '../../kernel/clock.ts';
import { customMember, customTexts, fieldsOnPath, type GivenValues } from '../../domain/devices/custom-fields.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import type { Actor } from '../../kernel/actor.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { Type, type Static } from '../../kernel/type.ts';
import { addAwaited } from './add.ts';
import { keepAddition, readAddition } from './additions.ts';
import { welcomeJoined } from './first-contact.ts';
import { NotATable } from '../../kernel/read-separated.ts';
import { readLines, type SheetRow } from './parse-sheet.ts';
import { readSheet } from './read-sheet.ts';
import { assertMayCredit, reserveCredits } from './reserve-credits.ts';
import { checkRows, type Fault, type NewDevice } from './rows.ts';
import type { Db, Row } from '../../db/schema.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';

const tag = 'devices';
const access = { permission: 'create_devices' } as const;
const MAX_ROWS = 10_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const SWEEP_MS = 3 * SECOND;

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const cell = Type.String({ maxLength: 200 });
const row = Type.Object(
  {
    company_id: id,
    device_series: cell,
    serial: cell,
    mac: Type.Optional(cell),
    imei: Type.Optional(cell),
    name: Type.Optional(cell),
    firmware_file_id: Type.Optional(id),
    config_file_id: Type.Optional(id),
    password_confirmation: Type.Optional(cell),
    tag_id: Type.Optional(Type.Array(id, { maxItems: 50, uniqueItems: true })),
    custom: Type.Optional(Type.Unsafe<GivenValues>(customMember.custom)),
    auto_credit_enable: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
const body = Type.Object(
  { data: Type.Array(row, { minItems: 1, maxItems: MAX_ROWS }), dry_run: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

/** A file of devices as programs of the public API send it. */
const importBody = Type.Object(
  {
    type: Type.Unsafe<'csv' | 'xls' | 'xlsx'>({ type: 'string', enum: ['csv', 'xls', 'xlsx'] }),
    file: Type.String({ minLength: 1, maxLength: 100 }),
    company_id: id,
    device_series: Type.Optional(Type.String({ maxLength: 20 })),
    auto_credit_enable: Type.Optional(Type.Boolean()),
    // Devices without a password join by a code here, so nobody has to allow it.
    add_without_password: Type.Optional(Type.Boolean()),
    firmware_file_id: Type.Optional(id),
    config_file_id: Type.Optional(id),
    tag_id: Type.Optional(Type.Array(id, { maxItems: 50, uniqueItems: true })),
    custom: Type.Optional(Type.Unsafe<Record<string, string>>(customTexts.custom)),
  },
  { additionalProperties: false },
);

/** The devices that the lines of a file or of a list say; what a line says goes before what was chosen for all. */
function devicesOf(
  read: readonly SheetRow[],
  { custom, ...common }: Omit<NewDevice, 'serial' | 'custom'> & { custom?: Readonly<Record<string, string>> },
  fields: readonly CustomField[],
): NewDevice[] {
  const typeOf = (name: string) => fields.find((field) => field.name === name) ?? { type: 'text' };
  const forAll =
    custom && Object.fromEntries(Object.entries(custom).map(([name, text]) => [name, readCustomText(typeOf(name), text) ?? null]));
  return read.map((row) => ({
    serial: '',
    ...common,
    ...row,
    ...(forAll || row.custom ? { custom: { ...forAll, ...row.custom } } : {}),
  }));
}

async function add(
  { ctx, actor, origin }: Pick<Call<unknown, unknown, unknown>, 'ctx' | 'origin'> & { actor: Actor },
  rows: readonly NewDevice[],
  isDryRun: boolean,
): Promise<Answer> {
  const companies = new Map<number, Awaited<ReturnType<typeof requireCompany>>>();
  for (const [index, { company_id }] of rows.entries())
    if (!companies.has(company_id))
      companies.set(company_id, await requireCompany(ctx.reads, actor, company_id, `data.${index}.company_id`));
  const { good, faults } = await checkRows(ctx, actor, rows, companies);
  if (isDryRun) return partialOr(ok({ good: good.map(({ index }) => index) }), { good: good.map(({ index }) => index) }, faults);
  if (good.length === 0) throw new InvalidFields(faults);
  assertMayCredit(ctx, actor, good);
  const ids = await addAwaited(ctx, { actor, origin }, good, companies);
  const data = good.map(({ index }, place) => ({ index, id: ids[place] ?? 0 }));
  const credits = await reserveCredits(ctx, { actor, origin }, good, ids);
  const channel = await keepAddition(ctx, actor, { rows, good, ids, faults, creditJobId: credits?.job_id });
  const meta = { ...credits, channel };
  return faults.length === 0 ? created(data, meta) : partial(data, faults, meta);
}

/** The faults of one device at the fields of its form. */
const atFields = (faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, source: fault.source.replace(/^data\.0\./, '') }));

const partialOr = (whole: Answer, data: unknown, faults: Fault[]): Answer => (faults.length === 0 ? whole : partial(data, faults));

/** Registers the room of devices that are added before they join. */
export function registerAwaitedDevices(app: App): void {
  const { ctx, fastify } = app;
  let stop: (() => void) | undefined;
  let working = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(SWEEP_MS, () => (working = welcomeJoined(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await working.catch(() => undefined);
  });
  route(app, {
    method: 'POST',
    path: '/devices',
    access,
    summary:
      'Adds devices that have not joined yet, `custom` with what their custom fields hold; `meta.channel` has each of them. 207: some of them; `dry_run` only says what is wrong.',
    tag,
    body,
    bodyLimit: MAX_BODY_BYTES,
    handler: (call) => add(call, (call.body as Static<typeof body>).data, call.body.dry_run === true),
  });
  route(app, {
    method: 'POST',
    path: '/devices/import',
    access,
    summary:
      'Adds the devices of a CSV or Excel file that have not joined yet; columns of custom fields go by their names. `meta.channel` has each device. 207: some of them.',
    tag,
    body: importBody,
    maxFileBytes: MAX_BODY_BYTES,
    cost: 'processor',
    async handler(call) {
      const { company_id, file, type: _type, add_without_password: _allowed, device_series = 'rut', ...options } = call.body;
      const { path } = await requireCompany(call.ctx.reads, call.actor, company_id, 'company_id');
      const fields = await fieldsOnPath(call.ctx.reads, path);
      const read = await readSheet(requireUpload(call.request, 'file', file), fields, call.signal);
      if (read.length === 0) throw new NotATable({}, { source: 'file' });
      return add(call, devicesOf(read, { company_id, device_series, ...options }, fields), false);
    },
  });
  formRoute(
    app,
    'devices/add-ahead',
    async (call) => {
      const { ctx, actor, origin, body: device } = call;
      const company = await requireCompany(ctx.reads, actor, device.company_id, 'company_id');
      const companies = new Map([[company.id, company]]);
      const { good, faults } = await checkRows(ctx, actor, [device], companies);
      if (faults.length > 0) throw new InvalidFields(atFields(faults));
      assertMayCredit(ctx, actor, good);
      const ids = await addAwaited(ctx, { actor, origin }, good, companies);
      const [id = 0] = ids;
      return created({ id }, { id, ...(await reserveCredits(ctx, { actor, origin }, good, ids)) });
    },
    { more: customMember },
  );
  formRoute(
    app,
    'devices/import',
    async ({ ctx, actor, body, request, signal }) => {
      const { company_id, source, file = '', lines = '', device_series, ...options } = body;
      const company = await requireCompany(ctx.reads, actor, company_id, 'company_id');
      const fields = await fieldsOnPath(ctx.reads, company.path);
      const read =
        source === 'file' ? await readSheet(requireUpload(request, 'file', file), fields, signal) : await readLines(lines, fields);
      if (read.length === 0) throw new NotATable({}, { source: source === 'file' ? 'file' : 'lines' });
      // Required fields are asked for here, where they can be filled in line by line.
      const given = fields.length > 0 ? { custom: {} } : {};
      const rows = devicesOf(read, { ...given, company_id, device_series, ...options }, fields);
      const { good, faults } = await checkRows(ctx, actor, rows, new Map([[company.id, company]]));
      return ok({ rows, good: good.map(({ index }) => index), faults, fields: fields.map(({ company_id: _company, ...field }) => field) });
    },
    { more: customTexts, cost: 'processor' },
  );
  route(app, {
    method: 'GET',
    path: '/status/channel/devices-added.:id',
    atRoot: true,
    access,
    summary: 'The outcome of each device of a call that added devices, for a day.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readAddition(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/awaited',
    access: { permission: 'view_devices' },
    summary: 'What a device that was added ahead waits for and gets then; null for one that has joined.',
    tag,
    params: idParams,
    handler: async ({ ctx: { reads }, actor, params }) =>
      ok(await describeAwaited(reads, actor, await requireDevice(reads, actor, params.id))),
  });
}

async function fileName(db: Db, actor: Actor, id: number | null): Promise<string | null> {
  if (id === null) return null;
  const file = await db.selectFrom('files').select('files.name').where('files.id', '=', id).where(visibleFiles(actor)).executeTakeFirst();
  return file?.name ?? null;
}

/** What a device that was added ahead waits for and gets then; null for one that has joined. The caller has checked that the actor sees the device. */
export async function describeAwaited(db: Db, actor: Actor, { id }: Pick<Row<'devices'>, 'id'>) {
  const row = await db.selectFrom('awaited_devices').selectAll().where('device_id', '=', id).executeTakeFirst();
  if (!row) return null;
  return {
    device_series: row.series,
    has_proof: row.proof_hash !== null,
    has_joined: row.joined_at !== null,
    firmware_file_name: await fileName(db, actor, row.firmware_file_id),
    config_file_name: await fileName(db, actor, row.config_file_id),
    user_name: row.user_name,
    created_at: wireTime(row.added_at),
  };
}
