import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { filePart } from './multipart.ts';

/** The name of a route: `POST /api/tags`. */
export const nameOf = ({ method, path }: RouteInfo): string => `${method} ${path}`;

/** Numbers of lists that are the same for every company, of steps, or of another server. */
const NO_RECORDS = /^(permission_id|alert_type_id|alert_subtype_id|credit_type_id|device_documentation_id)$/;

/** The collection of a member's records, by the end of its name. */
const COLLECTIONS: [RegExp, string][] = [
  [/^(base|template)_id$/, 'devices/configurator/templates'],
  [/^(config_file_id|configuration_id|file_id|files|firmware_file_id|firmware_id|source_id)$/, 'files'],
  [/^group_id$/, 'devices/tasks/groups'],
  [/^(parent_id|source|target)$/, 'companies'],
  [/^entry$/, 'remote/entries'],
  [/^link$/, 'remote/links'],
  [/^smtp_config_id$/, 'email-configurations'],
  [/^vpn_hub_id$/, 'vpn/hubs'],
  [/(^vpn_hub_user|_client)_id$/, 'vpn/hubs/users'],
  [/^automations$/, 'automations'],
  [/^devices$/, 'devices'],
  [/(device|router)_id$/, 'devices'],
  [/^task_id$/, 'devices/tasks'],
  [/tag_id$/, 'tags'],
];

/** Where a member called `id` names something else than the route's collection. */
const COLLECTION_OF_ID: Record<string, string> = {
  'POST /api/devices/connect/status': 'remote/entries',
  'POST /api/devices/tasks/groups': 'devices/tasks',
  'PUT /api/devices/tasks/groups/:id': 'devices/tasks',
  'PUT /api/users/status': 'users',
  'PUT /api/announcements': 'system/announcements',
  'POST /api/devices/updates/set': 'devices',
  'POST /api/devices/updates/cancel': 'devices',
  'POST /api/devices/passwords/generate': 'devices',
  'POST /api/devices/passwords/set': 'devices',
  'PUT /api/data-collect/configs/assign': 'data-collect/configs',
};

/** Members that name parts of the record in the address, or devices that everyone who looks at an image looks for again. */
const OWN_LISTS = new Set([
  'POST /api/jobs/:id/retry target_id',
  'PUT /api/notifications id',
  'PUT /api/dashboards/:id/layout widgets.0.spots.0.device_id',
]);

export interface IdMember {
  path: string;
  isList: boolean;
}

const itemsOf = ({ type, items }: JsonSchema): JsonSchema | undefined =>
  type === 'array' && !Array.isArray(items) ? (items as JsonSchema | undefined) : undefined;

const isNumber = ({ type }: JsonSchema): boolean => [type].flat().includes('integer');

const namesRecords = (name: string): boolean =>
  !NO_RECORDS.test(name) && (/(^|_)ids?$/.test(name) || COLLECTIONS.some(([pattern]) => pattern.test(name)));

/** Members that name records: `device_id`, `data.0.device_id`. */
export function idMembers(schema: JsonSchema | undefined, start = ''): IdMember[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const path = `${start}${name}`;
    const items = itemsOf(member);
    if (namesRecords(name) && isNumber(items ?? member)) return [{ path, isList: items !== undefined }];
    return items ? idMembers(items, `${path}.0.`) : idMembers(member, `${path}.`);
  });
}

/** What a body has at a path. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined), body);
}

/** The body with another value at a path. */
export function withValue(body: unknown, [step = '', ...steps]: string[], value: unknown): unknown {
  if (step === '') return value;
  if (step === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, steps, value)];
  const members = typeof body === 'object' && body !== null ? body : {};
  return { ...members, [step]: withValue(Reflect.get(members, step), steps, value) };
}

/** The collection whose records a member names; undefined for one that names none. */
export function collectionOf(info: RouteInfo, path: string): string | undefined {
  const name = path.split('.').at(-1) ?? '';
  if (OWN_LISTS.has(`${nameOf(info)} ${path}`)) return undefined;
  if (name === 'id') return COLLECTION_OF_ID[nameOf(info)] ?? info.path.replace(/^\/api\//, '').split('/:')[0] ?? '';
  return COLLECTIONS.find(([pattern]) => pattern.test(name))?.[1] ?? `${name.replace(/_ids?$/, '')}s`.replace(/ys$/, 'ies');
}

/** Calls whose body is a form with a file. */
export const WITH_FILE = new Map([
  ['POST /api/files', filePart('sample', 'sample.cfg')],
  ['POST /api/devices/tags', filePart('sample', 'sample.csv')],
  ['POST /api/devices/import', filePart('serial,mac\n1106433012,00:1E:42:AB:CD:EF\n', 'sample.csv')],
  ['POST /api/devices/import/preview', filePart('serial,mac\n1106433012,00:1E:42:AB:CD:EF\n', 'sample.csv')],
  ['POST /api/images', { ...filePart('sample', 'sample.png'), name: 'image' }],
]);
