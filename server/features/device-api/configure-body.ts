import { Type } from '../../kernel/type.ts';
import type { ConfigureCall } from './changes.ts';

const MOST_DEVICES = 500;
// One for all of the devices, and one for each alone.
const MOST_CALLS = MOST_DEVICES + 1;

export const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const ids = Type.Array(id, { minItems: 1, maxItems: MOST_DEVICES, uniqueItems: true });
const word = Type.String({ maxLength: 255 });
const pair = Type.Object({ key: word, value: word }, { additionalProperties: false });
const path = Type.String({ minLength: 1, maxLength: 255 });
const pairs = Type.Optional(Type.Array(pair, { maxItems: 20 }));
const search = Type.Object(
  { search_key: word, path, elements: Type.Array(pair, { minItems: 1, maxItems: 20 }) },
  { additionalProperties: false },
);
const searches = Type.Optional(Type.Array(search, { maxItems: 5 }));
export const endpoint = Type.Object({ path, query_parameters: pairs, search_elements: searches }, { additionalProperties: false });
const data = Type.Unsafe<ConfigureCall['request_data']>({
  type: 'object',
  additionalProperties: false,
  properties: { data: { type: 'object', maxProperties: 300 } },
});
const order = Type.Optional(
  Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { minItems: 1, maxItems: 1000, uniqueItems: true }),
);
const configuration = Type.Object(
  {
    device_id: ids,
    path,
    method: Type.Unsafe<ConfigureCall['method']>({ type: 'string', enum: ['put', 'post', 'delete'] }),
    content_type: Type.Optional(word),
    query_parameters: pairs,
    search_elements: searches,
    request_data: Type.Optional(data),
    order,
  },
  { additionalProperties: false },
);

export const configurations = Type.Array(configuration, { minItems: 1, maxItems: MOST_CALLS });

const edit = Type.Unsafe<ConfigureCall & { method: 'put' | 'post' }>({
  ...configuration,
  properties: { ...configuration.properties, method: { type: 'string', enum: ['put', 'post'] } },
});
/** Calls that can be taken back: those that change sections which are there, and those that add some. */
export const editsBody = Type.Array(edit, { minItems: 1, maxItems: MOST_CALLS });
