import { isMembers } from '../form/form-fields.ts';
import type { VariableType } from './collected.ts';

/** A place in what an address answers, with the path by which a variable reads it. */
export interface ApiNode {
  name: string;
  path: string;
  /** Of a single value. */
  type?: VariableType;
  help?: string;
  children?: ApiNode[];
}

/** An address that devices answer, as their API document describes it. */
export interface ApiSource {
  url: string;
  title: string;
  nodes: ApiNode[];
}

const MOST_SOURCES = 2000;
const MOST_NODES_OF_SOURCE = 300;
const MOST_NODES = 60_000;
const MOST_DEEP = 8;
const MOST_HOPS = 16;
const MOST_HELP = 200;
// `/modems/status`, `/api/modems/status`; an address with `{id}` has to be asked for one of many.
const PATH = /^(?:\/[A-Za-z0-9_.-]{1,64}){1,10}$/;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const KINDS: readonly VariableType[] = ['string', 'number', 'integer', 'boolean'];
/** Where addresses of a machine's files begin, which somebody may write without `/file`. */
const FOLDERS = new Set(['bin', 'dev', 'etc', 'home', 'mnt', 'opt', 'proc', 'root', 'sbin', 'sys', 'tmp', 'usr', 'var']);

/** The whole address of a source: those of the router's own API may be written without `/api`, as its document has them. */
export function sourceUrl(url: string): string {
  const [, first = ''] = url.split('/');
  return ['ubus', 'file', 'command', 'api'].includes(first) || FOLDERS.has(first) || !PATH.test(url) ? url : `/api${url}`;
}

type Members = Record<string, unknown>;

/** What a reference leads to; nothing for one that leads nowhere, out of the file or back to itself. */
function resolve(root: Members, given: unknown): Members {
  let value = given;
  for (let hops = 0; isMembers(value) && typeof value['$ref'] === 'string'; hops += 1) {
    const ref = value['$ref'];
    if (!ref.startsWith('#/') || hops >= MOST_HOPS) return {};
    value = ref
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((target, name) => (isMembers(target) && Object.hasOwn(target, name) ? target[name] : undefined), root);
  }
  return isMembers(value) ? value : {};
}

const textIn = (given: unknown): string => (typeof given === 'string' ? given.replace(/\s+/g, ' ').trim().slice(0, MOST_HELP) : '');

interface Room {
  left: number;
}

/** The members of an object, also of one that is put together from several. */
function membersOf(root: Members, schema: Members, room: Room): [string, unknown][] {
  const own = isMembers(schema['properties']) ? Object.entries(schema['properties']) : [];
  const all = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const one = [schema['oneOf'], schema['anyOf']].flatMap((given) => (Array.isArray(given) ? given.slice(0, 1) : []));
  const found = new Map<string, unknown>();
  for (const part of [...all, ...one]) {
    if (room.left <= 0) break;
    room.left -= 1;
    for (const [name, given] of membersOf(root, resolve(root, part), room)) found.set(name, given);
  }
  for (const [name, given] of own) found.set(name, given);
  return [...found];
}

function typeIn({ type }: Members): string | undefined {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  return typeof named === 'string' ? named : undefined;
}

/** One member of an answer; undefined where there is nothing to read. */
function nodeOf(
  root: Members,
  { name, path, given }: { name: string; path: string; given: unknown },
  room: Room,
  depth: number,
): ApiNode | undefined {
  if (room.left <= 0 || depth > MOST_DEEP) return undefined;
  room.left -= 1;
  const schema = resolve(root, given);
  const help = textIn(schema['description']) || textIn(schema['title']);
  const about = help === '' ? {} : { help };
  const type = typeIn(schema);
  const kind = KINDS.find((one) => one === type);
  if (kind !== undefined) return { name, path, type: kind, ...about };
  const children = childrenOf(root, { schema, path }, room, depth);
  return children.length === 0 ? undefined : { name, path, ...about, children };
}

function childrenOf(root: Members, { schema, path }: { schema: Members; path: string }, room: Room, depth: number): ApiNode[] {
  if (typeIn(schema) === 'array' || isMembers(schema['items'])) {
    const first = nodeOf(root, { name: '[0]', path: `${path}[0]`, given: schema['items'] }, room, depth + 1);
    return first ? [first] : [];
  }
  return membersOf(root, schema, room).flatMap(
    ([name, given]) => (NAME.test(name) && nodeOf(root, { name, path: `${path}.${name}`, given }, room, depth + 1)) || [],
  );
}

/** What a call answers when it went well. */
function answerSchema(root: Members, call: Members): Members {
  const responses = isMembers(call['responses']) ? call['responses'] : {};
  const answer = resolve(root, responses['200'] ?? responses['2XX'] ?? responses['default']);
  const content = isMembers(answer['content']) ? answer['content'] : {};
  const media = resolve(root, content['application/json']);
  // OpenAPI 2 has the schema at the answer itself.
  return resolve(root, media['schema'] ?? answer['schema']);
}

/**
 * The addresses that can be read by an API document of devices (OpenAPI), each with the members of its answer. What is nested deeper than eight members,
 * and whatever is no description of an answer, is left out; at most 2,000 addresses and 60,000 members.
 */
export function readApiSources(document: unknown): ApiSource[] {
  const root = isMembers(document) ? document : {};
  const paths = isMembers(root['paths']) ? root['paths'] : {};
  const sources = new Map<string, ApiSource>();
  let left = MOST_NODES;
  for (const [path, entry] of Object.entries(paths)) {
    const call = isMembers(entry) ? resolve(root, entry['get']) : {};
    if (!isMembers(call['responses']) || !PATH.test(path) || path.split('/').includes('..')) continue;
    const url = sourceUrl(path);
    if (!url.startsWith('/api/') || sources.has(url)) continue;
    const room = { left: Math.min(left, MOST_NODES_OF_SOURCE) };
    const given = room.left;
    const nodes = childrenOf(root, { schema: answerSchema(root, call), path: '$' }, room, 0);
    left -= given - room.left;
    sources.set(url, { url, title: textIn(call['summary']) || textIn(call['description']), nodes });
    if (sources.size >= MOST_SOURCES) break;
  }
  return [...sources.values()].toSorted((a, b) => (a.url < b.url ? -1 : 1));
}
