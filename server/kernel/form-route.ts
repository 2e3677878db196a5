import { Type, type TSchema } from 'typebox';
import type { FormData, FormId, PermissionName } from '../../schemas/_generated/contract.ts';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { enforcedSchema } from '../../schemas/kit/enforced-schema.ts';
import type { JsonSchema } from '../../schemas/kit/types.ts';
import type { Actor } from './actor.ts';
import type { Answer } from './answer.ts';
import { loadForm } from './forms.ts';
import { route, type App, type Call } from './route.ts';

const selectionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['query', 'count'],
  properties: {
    query: { type: 'object', maxProperties: 40, additionalProperties: { type: 'string', maxLength: 1000 } },
    count: { type: 'integer', minimum: 0 },
  },
} satisfies JsonSchema;

/** Adds the devices payload (SelectionInput) to a body schema: the ids, or the query with the count seen; exactly one of them. */
export function withDevices(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      device_id: { type: 'array', minItems: 1, maxItems: 10_000, uniqueItems: true, items: { type: 'integer', minimum: 1 } },
      selection: selectionSchema,
      dry_run: { type: 'boolean' },
    },
    oneOf: [{ required: ['device_id'] }, { required: ['selection'] }],
  };
}

const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });

function isPermission(name: string): name is PermissionName {
  return (permissionNames as readonly string[]).includes(name);
}

/** Registers the route of a form file: method, path, permission and body rules come from the file. */
export function formRoute<F extends FormId>(
  app: App,
  id: F,
  handler: (call: Call<{ id: number }, unknown, FormData[F]> & { actor: Actor }) => Promise<Answer>,
): void {
  const form = loadForm(id);
  if (!isPermission(form.permission))
    throw new Error(`Form ${id}: no permission named "${form.permission}"; public forms register their own route`);
  const body = enforcedSchema(form);
  const path = form.submit.path.replace('{id}', ':id');
  route<typeof idParams, never, TSchema>(app, {
    method: form.submit.method,
    path,
    access: { permission: form.permission },
    summary: `Form ${id}`,
    tag: id.split('/')[0] ?? id,
    ...(path.includes(':id') ? { params: idParams } : {}),
    body: Type.Unsafe<unknown>(form.submit.payload === 'devices' ? withDevices(body) : body),
    handler: (call: unknown) => handler(call as Call<{ id: number }, unknown, FormData[F]> & { actor: Actor }),
  });
}
