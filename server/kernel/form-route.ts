import { Type, type TSchema } from './type.ts';
import type { FormData, FormId, PermissionName } from '../../schemas/_generated/contract.ts';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { compileFormBody } from '../../schemas/kit/form/compile-body.ts';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import { enforcedSchema, permittedFields, type ObjectSchema } from '../../schemas/kit/form/enforced-schema.ts';
import { DEFAULT_FILE_BYTES } from '../../schemas/kit/form/file-fault.ts';
import { fieldsOf, valueAt } from '../../schemas/kit/form/form-fields.ts';
import type { FormFile, JsonSchema } from '../../schemas/kit/form/types.ts';
import { can, type Actor, type Origin, type Access } from './actor.ts';
import { mayHoldPassword } from '../../schemas/kit/form/own-widgets.ts';
import type { Answer } from './answer.ts';
import { assertFits } from './body-rules.ts';
import { Forbidden, UnknownField } from './errors.ts';
import { loadForm } from './forms.ts';
import { numeralsToText, withNumerals } from './numerals.ts';
import { route, type App, type Call, type RouteSpec } from './route.ts';
import { isAllowed } from './route-access.ts';

const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** Whether a text names a permission of the contract. */
export function isPermission(name: string): name is PermissionName {
  return (permissionNames as readonly string[]).includes(name);
}

/** The body rules of a form's route, the same for every caller; calls over devices also take `dry_run`. */
export function bodySchemaOf(form: FormFile): JsonSchema {
  const schema = enforcedSchema(form, undefined, () => false);
  return form.submit.payload === 'devices' ? { ...schema, properties: { ...schema.properties, dry_run: { type: 'boolean' } } } : schema;
}

/**
 * Checks what of a form's rules hangs on the caller: fields that only some may see are unknown to the others, and asked of them where they are
 * required. `optional` and `more` are those of the route. Answers a function that throws the refusal.
 */
export function fieldRights(
  form: FormFile,
  { optional = [], more = {} }: { optional?: readonly string[]; more?: Record<string, JsonSchema> } = {},
): (actor: Pick<Actor, 'permissions'>, body: unknown) => void {
  const fields = [...fieldsOf(form).values()];
  if (fields.every(({ rule }) => rule.permission === undefined)) return () => undefined;
  const schemas = new Map<string, JsonSchema>();
  return (actor, body) => {
    const holds = (name: string): boolean => isPermission(name) && can(actor, name);
    const permitted = permittedFields(form, holds);
    const refused = fields.find(({ path }) => !permitted.includes(path) && valueAt(body, path) !== undefined);
    if (refused) throw new UnknownField({ field: refused.path }, { source: refused.path });
    const key = permitted.join(' ');
    const schema = schemas.get(key) ?? widened(enforcedSchema(form, holds), optional, more);
    schemas.set(key, schema);
    assertFits(compileFormBody(schema)(body));
  };
}

const routeSchemas = new Map<string, ObjectSchema>();

/** The body rules of a form's route. One object for all servers of a process, because a schema is compiled once for each object. */
function routeSchemaOf(form: FormFile, optional: readonly string[], more: Record<string, JsonSchema>): ObjectSchema {
  const key = JSON.stringify([form.id, optional, more]);
  const schema = routeSchemas.get(key) ?? widened(bodySchemaOf(form), optional, more);
  routeSchemas.set(key, schema);
  return schema;
}

/** Bytes of the largest file that a form takes. */
function maxFileBytesOf(form: FormFile): number {
  const files = Object.values(form.ui ?? {}).filter((ui) => ui['ui:widget'] === 'file');
  return Math.max(...files.map((ui) => ui['ui:options']?.maxBytes ?? DEFAULT_FILE_BYTES));
}

/** The rules of a form for calls that may leave out the fields `names`, and send `more`. */
function widened(schema: JsonSchema, names: readonly string[], more: Record<string, JsonSchema>): ObjectSchema {
  return {
    ...schema,
    type: 'object',
    properties: { ...schema.properties, ...more },
    required: (schema.required ?? []).filter((name) => !names.includes(name)),
  };
}

/** What is sent for a form of which programs may leave out the fields `O`. */
type Sent<F extends FormId, O extends keyof FormData[F]> = Omit<FormData[F], O> & Partial<Pick<FormData[F], O>>;

type FormRouteOptions<F extends FormId, O extends keyof FormData[F]> = Pick<
  RouteSpec<TSchema, TSchema, TSchema, Access>,
  'proof' | 'ratePerMinute' | 'cost' | 'mediaType' | 'maxFileBytes' | 'serves' | 'onlyInPerson' | 'programs' | 'tokens'
> & {
  /** Texts of digits that programs may send as numbers. */
  numerals?: readonly (keyof FormData[F] & string)[];
  /** Fields that the form requires and programs may leave out. */
  optional?: readonly O[];
  /** Members that the form has no field for, or takes more of than its field does. */
  more?: Record<string, JsonSchema>;
};

/** Where what is sent by itself comes from. */
export const UNATTENDED: Origin = { ip: '', requestId: 'automation', userAgent: '' };

/** Whether a form can be sent where no person is: it starts a job on devices, and holds neither passwords nor files. */
export function isUnattended(form: FormFile): boolean {
  const { payload, method, success } = form.submit;
  const hasFile = Object.values(form.ui ?? {}).some((ui) => ui['ui:widget'] === 'file');
  return (
    payload === 'devices' &&
    method !== 'DELETE' &&
    success?.then === 'job' &&
    !hasFile &&
    !mayHoldPassword(form, form.schema, form.uiSchema)
  );
}

/** Registers the route of a form file: method, path, permission (or `signed-in`) and body rules come from the file. Throws Error for a form without a permission. */
export function formRoute<F extends FormId, O extends keyof FormData[F] & string = never>(
  app: App,
  id: F,
  handler: (call: Call<{ id: number }, unknown, Sent<F, O>> & { actor: Actor }) => Promise<Answer>,
  { numerals = [], optional = [], more = {}, ...options }: FormRouteOptions<F, O> = {},
): void {
  const form = loadForm(id);
  const access = form.permission === 'signed-in' ? form.permission : isPermission(form.permission) && { permission: form.permission };
  if (!access) throw new Error(`Form ${id}: no permission named "${form.permission}"; public forms register their own route`);
  const path = form.submit.path.replace('{id}', ':id');
  const assertRights = fieldRights(form, { optional, more });
  const body = routeSchemaOf(form, optional, more);
  const check = compileForm(form, body);
  const run = async (call: { actor: Actor; body: unknown }): Promise<Answer> => {
    assertRights(call.actor, call.body);
    return handler(call as Call<{ id: number }, unknown, Sent<F, O>> & { actor: Actor });
  };
  if (isUnattended(form) && options.proof === undefined)
    app.ctx.deviceForms.add({
      form,
      check,
      async send({ actor, body: sent, key }) {
        if (!isAllowed(actor, access)) throw new Forbidden({});
        assertFits(check(sent));
        const request = { headers: { 'idempotency-key': key }, uploads: new Map() };
        const call = { ctx: app.ctx, params: {}, query: {}, origin: UNATTENDED, request, actor, body: sent };
        return run(call);
      },
    });
  route<typeof idParams, TSchema, TSchema, Exclude<Access, 'public'>>(app, {
    method: form.submit.method,
    path,
    access,
    ...options,
    ...(form.submit.encoding === 'multipart' ? { maxFileBytes: maxFileBytesOf(form) } : {}),
    summary: `Form ${id}`,
    tag: id.split('/')[0] ?? id,
    ...(path.includes(':id') ? { params: idParams } : {}),
    body: withNumerals(body, numerals),
    checkBody(data) {
      numeralsToText(data, numerals);
      return check(data);
    },
    handler: run,
  });
}

/** Registers the route of a form file that is open to everybody. Throws Error for a form that asks for a permission. */
export function publicFormRoute<F extends FormId>(
  app: App,
  id: F,
  handler: (call: Call<unknown, unknown, FormData[F]>) => Promise<Answer>,
  options: { ratePerMinute: number; proof?: 'sign-in' },
): void {
  const form = loadForm(id);
  if (form.permission !== 'public') throw new Error(`Form ${id} asks for "${form.permission}"; register it with formRoute`);
  const body = bodySchemaOf(form);
  route<TSchema, TSchema, TSchema, 'public'>(app, {
    method: form.submit.method,
    path: form.submit.path,
    access: 'public',
    summary: `Form ${id}`,
    tag: id.split('/')[0] ?? id,
    body,
    checkBody: compileForm(form, body),
    ...options,
    handler: (call) => handler(call as Call<unknown, unknown, FormData[F]>),
  });
}
