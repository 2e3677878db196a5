import type { ConfigDocument, ConfigSection } from './configuration.ts';
import type { EntryList } from './configuration-types.ts';
import { isMembers } from '../form/form-fields.ts';
import type { Text } from '../form/form-types.ts';
import { listOf, MOST_DEEP, readText, resolve, simplify, textOf, Unfit, type DocumentFault } from './resolve-schema.ts';
import { compilePattern } from '../patterns/compile-pattern.ts';
import { PatternFault } from '../patterns/pattern-fault.ts';
import type { JsonSchema } from '../form/types.ts';

/**
 * What a document describes and no form shows. nested: an object; list: a list of objects that does not say which sections its entries are; choice: one of several kinds of values; name: no name that an option of a device
 * can have; empty: a section without an option; unknown: a section that does not say which settings of the device it is about.
 */
export interface LeftOut {
  at: string;
  reason: 'nested' | 'list' | 'choice' | 'name' | 'empty' | 'unknown';
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_SECTIONS = 300;
const MOST_OPTIONS = 300;
const MOST_ENUM = 500;
const MOST_HELP = 500;
const MOST_ENTRIES = 100;
const SECRET = /^(key|psk|pass|wpakey|sae_password|auth_secret|acct_secret|private_key|pincode)$|passw|secret|token/i;
const SCALARS = ['string', 'integer', 'number', 'boolean'];

function assertPattern(pattern: string, at: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    throw error instanceof PatternFault ? new Unfit(at, error.message) : error;
  }
}

function scalar(property: Record<string, unknown>, at: string): JsonSchema | undefined {
  if (property['oneOf'] !== undefined) return undefined;
  const types = Array.isArray(property['type'])
    ? property['type'].filter((one) => one !== 'null')
    : [property['type'] ?? (property['properties'] === undefined ? 'string' : 'object')];
  const type = types.length === 1 ? SCALARS.find((one) => one === types[0]) : undefined;
  if (type === undefined) return undefined;
  const schema: Record<string, unknown> = { type };
  for (const key of ['minimum', 'maximum', 'minLength', 'maxLength'] as const)
    if (typeof property[key] === 'number' && Number.isFinite(property[key])) schema[key] = property[key];
  if (type === 'string') schema['maxLength'] ??= 4096;
  const { pattern } = property;
  if (typeof pattern === 'string') {
    assertPattern(pattern, at);
    schema['pattern'] = pattern;
  }
  if (Array.isArray(property['enum'])) {
    const values = property['enum'].filter((one) => typeof one === type || (type === 'integer' && Number.isInteger(one)));
    if (values.length === 0 || values.length > MOST_ENUM) throw new Unfit(at, 'A list of allowed values is empty or too long.');
    schema['enum'] = [...new Set(values)];
  }
  return schema;
}

function optionSchema(root: Record<string, unknown>, property: Record<string, unknown>, at: string): JsonSchema | LeftOut['reason'] {
  const single = property['type'] === 'array' ? simplify(root, property['items'], at) : property;
  const schema = scalar(single, at);
  if (schema === undefined && single !== property && single['properties'] !== undefined) return 'list';
  if (schema === undefined) return single['oneOf'] === undefined ? 'nested' : 'choice';
  return single === property ? schema : { type: 'array', items: schema, maxItems: 100 };
}

interface Reading {
  root: Record<string, unknown>;
  sections: ConfigSection[];
  leftOut: LeftOut[];
}

interface Options {
  properties: Record<string, JsonSchema>;
  labels: Record<string, Text>;
  help: Record<string, Text>;
  secrets: string[];
  lists: Record<string, EntryList>;
}

// A type of sections: `bridge-vlan`, `wireguard_{id}`
const ENTRY_TYPE = /^[A-Za-z0-9_-]*(?:\{id\})?[A-Za-z0-9_-]*$/;

/** A list of objects whose `x-uci` says which sections its entries are; undefined for another one. */
function readList(reading: Reading, option: Record<string, unknown>, at: string): { schema: JsonSchema; list: EntryList } | undefined {
  const item = option['type'] === 'array' ? simplify(reading.root, option['items'], at) : {};
  const place = option['x-uci'] ?? item['x-uci'];
  if (!isMembers(item['properties']) || place === undefined) return undefined;
  const { type, parent, key } = isMembers(place) ? place : {};
  if (
    typeof type !== 'string' ||
    type.length > 64 ||
    !ENTRY_TYPE.test(type) ||
    type === '' ||
    (parent !== undefined && !NAME.test(String(parent)))
  )
    throw new Unfit(at, 'x-uci of a list must have a type of letters, digits, hyphens and underscores.');
  if (parent === undefined && !type.includes('{id}'))
    throw new Unfit(
      at,
      'x-uci of a list must say to which section an entry belongs: by parent, an option of the entry, or by {id} in its type.',
    );
  const { properties, labels, help, secrets } = readOptions(reading, item, at, false);
  if (Object.keys(properties).length === 0) return undefined;
  if (key !== undefined && !Object.hasOwn(properties, String(key)))
    throw new Unfit(at, 'The key of a list must be an option of its entries.');
  const required = listOf(item['required']).filter((one): one is string => typeof one === 'string' && Object.hasOwn(properties, one));
  return {
    schema: {
      type: 'array',
      maxItems: MOST_ENTRIES,
      items: { type: 'object', additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) },
    },
    list: {
      type,
      ...(parent === undefined ? {} : { parent: String(parent) }),
      ...(key === undefined ? {} : { key: String(key) }),
      labels,
      ...(Object.keys(help).length > 0 ? { help } : {}),
      secrets,
    },
  };
}

function readOptions(reading: Reading, given: Record<string, unknown>, at: string, mayHaveLists: boolean): Options {
  const { root, leftOut } = reading;
  const lists: Record<string, EntryList> = {};
  const properties: Record<string, JsonSchema> = {};
  const labels: Record<string, Text> = {};
  const help: Record<string, Text> = {};
  const secrets: string[] = [];
  const members = isMembers(given['properties']) ? Object.entries(given['properties']) : [];
  if (members.length > MOST_OPTIONS) throw new Unfit(at, 'It has too many options.');
  for (const [key, property] of members) {
    const where = `${at}/properties/${key}`;
    if (!NAME.test(key) || key === '__proto__') {
      leftOut.push({ at: where, reason: 'name' });
      continue;
    }
    const option = simplify(root, property, where);
    if (option['readOnly'] === true) continue;
    const entries = mayHaveLists ? readList(reading, option, where) : undefined;
    if (entries) lists[key] = entries.list;
    const schema = entries?.schema ?? optionSchema(root, option, where);
    if (typeof schema === 'string') {
      leftOut.push({ at: where, reason: schema });
      continue;
    }
    properties[key] = schema;
    labels[key] = textOf(option['x-title'] ?? option['title'], key);
    const text = readText(option['x-description'] ?? option['description'], MOST_HELP);
    if (text) help[key] = text;
    if (option['writeOnly'] === true || option['format'] === 'password' || SECRET.test(key)) secrets.push(key);
  }
  return { properties, labels, help, secrets, lists };
}

function readSection(reading: Reading, id: string, given: Record<string, unknown>, place: unknown, at: string): void {
  const { sections, leftOut } = reading;
  if (!isMembers(place)) throw new Unfit(at, 'It does not say which settings of the device it is about (x-uci).');
  const { config, type, name } = place;
  if (
    typeof config !== 'string' ||
    typeof type !== 'string' ||
    !NAME.test(config) ||
    !NAME.test(type) ||
    (name !== undefined && !NAME.test(String(name)))
  )
    throw new Unfit(at, 'x-uci must have a config and a type of letters, digits, hyphens and underscores.');
  const { properties, labels, help, secrets, lists } = readOptions(reading, given, at, true);
  if (Object.keys(properties).length === 0) {
    leftOut.push({ at, reason: 'empty' });
    return;
  }
  const schema = { type: 'object' as const, additionalProperties: false, properties };
  sections.push({
    id,
    title: textOf(given['x-title'] ?? given['title'], id),
    config,
    type,
    ...(name === undefined ? {} : { name: String(name) }),
    ...(place['ordered'] === false ? { isUnordered: true } : {}),
    schema,
    labels,
    ...(Object.keys(help).length > 0 ? { help } : {}),
    secrets,
    ...(Object.keys(lists).length > 0 ? { lists } : {}),
  });
}

function assertShallow(value: unknown, depth: number): void {
  if (depth > MOST_DEEP * 2) throw new Unfit('', 'It is nested too deeply.');
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) assertShallow(member, depth + 1);
}

// `/network/interfaces/config`, `/network/interfaces/config/{id}`
const PATH = /^\/([A-Za-z0-9_/-]{1,120})\/config(?:\/\{id\})?$/;

function bodySchema(root: Record<string, unknown>, entry: Record<string, unknown>, at: string): Record<string, unknown> {
  const call = resolve(root, entry['put'] ?? entry['post'], at);
  const content = resolve(root, resolve(root, call['requestBody'], at)['content'], at);
  const schema = simplify(root, resolve(root, content['application/json'], at)['schema'], at);
  const data = isMembers(schema['properties']) ? schema['properties']['data'] : undefined;
  const inner = data === undefined ? schema : simplify(root, data, at);
  return inner['type'] === 'array' ? simplify(root, inner['items'], at) : inner;
}

function readPaths(reading: Reading): void {
  const { root, sections, leftOut } = reading;
  const paths = isMembers(root['paths']) ? root['paths'] : {};
  for (const [path, entry] of Object.entries(paths)) {
    const id = PATH.exec(path)?.[1];
    if (!isMembers(entry) || (entry['put'] === undefined && entry['post'] === undefined && entry['x-uci'] === undefined)) continue;
    const at = `/paths${path.startsWith('/') ? '' : '/'}${path}`;
    if (id === undefined || entry['x-uci'] === undefined) {
      leftOut.push({ at, reason: 'unknown' });
      continue;
    }
    if (sections.some((one) => one.id === id)) continue;
    const schema = bodySchema(root, entry, at);
    const title = entry['x-title'] ?? schema['x-title'] ?? entry['summary'];
    readSection(reading, id, { ...schema, 'x-title': title }, entry['x-uci'], at);
  }
}

function readProperties(reading: Reading): void {
  const { root, leftOut } = reading;
  const properties = isMembers(root['properties']) ? root['properties'] : {};
  for (const [id, property] of Object.entries(properties)) {
    const at = `/properties/${id}`;
    const outer = simplify(root, property, at);
    const place = outer['x-uci'];
    if (place === undefined) {
      leftOut.push({ at, reason: 'unknown' });
      continue;
    }
    if (!/^[A-Za-z0-9_/-]{1,120}$/.test(id)) throw new Unfit(at, 'This is no name of a section.');
    const inner = outer['type'] === 'array' ? simplify(root, outer['items'], at) : outer;
    readSection(reading, id, { ...inner, 'x-title': outer['x-title'] ?? outer['title'] }, place, at);
  }
}

/**
 * The sections that an API document of devices describes: OpenAPI 3, whose paths name their settings by `x-uci`, or a JSON Schema whose properties do; a document may
 * have none. `leftOut` names what it describes beyond that and no form shows: paths that change something without `x-uci`, and options that are no text, number,
 * yes or no, list of these, or list of objects with an `x-uci` of its own.
 */
export function readConfiguration(given: unknown): { document: ConfigDocument; leftOut: LeftOut[] } | { fault: DocumentFault } {
  try {
    assertShallow(given, 0);
    const root = isMembers(given) ? given : {};
    const info = isMembers(root['info']) ? root['info'] : root;
    const reading: Reading = { root, sections: [], leftOut: [] };
    readPaths(reading);
    readProperties(reading);
    const { sections, leftOut } = reading;
    if (sections.length > MOST_SECTIONS) throw new Unfit('', 'It has too many sections.');
    return { document: { title: textOf(info['x-title'] ?? info['title'], 'Device'), sections }, leftOut };
  } catch (error) {
    if (error instanceof Unfit) return { fault: error.fault };
    if (error instanceof URIError || error instanceof RangeError) return { fault: { at: '', reason: 'It cannot be read.' } };
    throw error;
  }
}
