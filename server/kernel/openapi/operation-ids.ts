/** A registered route. */
export interface Operation {
  method: string;
  /** As it is registered: `/api/devices/:id`. */
  path: string;
}

const VERBS: Record<string, string> = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' };

/** `companies` → `company`; a word that is no plural stays. */
function toSingular(word: string): string {
  if (/(series|status)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** `vpn-hubs.{id}` → `VpnHubsId` */
function toPascalCase(text: string): string {
  return text
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The nouns of a path: `/api/devices/:id/logs` → `DeviceLogs`. Parameters after the first of a collection are named: `/forms/:room/:name` → `FormName`. */
function toNouns(path: string): string {
  const segments = path.split('/').filter(Boolean);
  const isApi = segments[0] === 'api';
  const nouns = segments.slice(isApi ? 1 : 0).map((segment, index, all) => {
    if (segment.startsWith(':')) return all[index - 1]?.startsWith(':') ? toPascalCase(segment) : '';
    return toPascalCase(all[index + 1]?.startsWith(':') ? toSingular(segment) : segment);
  });
  return `${isApi ? '' : 'Root'}${nouns.join('')}`;
}

/** Whether a path is that of a collection of records: it is a list, or has records below it. */
export function findCollections(operations: readonly Operation[], listPaths: ReadonlySet<string>): (path: string) => boolean {
  const paths = new Set(operations.map(({ path }) => path));
  return (path) => listPaths.has(path) || paths.has(`${path}/:id`);
}

/** Operations whose path alone would give the name of another one. */
const OTHER_NAMES: Record<string, string> = {
  'GET /api/user': 'getOwnUser',
  'GET /api/automation-logs': 'listLogsOfAutomations',
  'GET /api/automation-devices': 'listDevicesOfAutomations',
  'POST /api/history/undo': 'undoHistoryRequest',
};

/**
 * Names of operations for generated clients, in the order of the operations: `listDevices`, `createDevice`, `getDevice`, `updateDevice`, `deleteDevice`, and
 * `postDeviceRestore` for other calls. A name depends on method, path and the routes of the same path alone, so a new route leaves the names of others as
 * they are. A name that an added form would repeat gets a number.
 */
export function nameOperations(operations: readonly Operation[], listPaths: ReadonlySet<string>): string[] {
  const isCollection = findCollections(operations, listPaths);
  const toName = (method: string, path: string): string => {
    const isRecord = path.endsWith('/:id') && isCollection(path.slice(0, -'/:id'.length));
    if (method === 'GET' && listPaths.has(path)) return `list${toNouns(path)}`;
    if (method === 'POST' && isCollection(path)) return `create${toNouns(`${path}/:id`)}`;
    if (method === 'PUT' && (isRecord || isCollection(path))) return `update${toNouns(path)}`;
    return `${VERBS[method] ?? method.toLowerCase()}${toNouns(path)}`;
  };
  const taken = new Map<string, number>();
  return operations.map(({ method, path }) => {
    const name = OTHER_NAMES[`${method} ${path}`] ?? toName(method, path);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name}${count}`;
  });
}
