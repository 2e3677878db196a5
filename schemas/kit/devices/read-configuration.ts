import type { ConfigDocument, ConfigSection } from './configuration.ts';
import { isMembers } from '../form/form-fields.ts';
import type { Text } from '../form/form-types.ts';
import { findRisk } from '../lint/risky-pattern.ts';
import type { JsonSchema } from '../form/types.ts';

/** What is wrong with a document, and where: `/properties/interfaces`. */
export interface DocumentFault {
  at: string;
  reason: string;
}

/**
 * What a document describes and no form shows. nested: an object, or a list of objects; choice: one of several kinds of values; name: no name that an option of a device
 * can have; empty: a section without an option; unknown: a section that does not say which settings of the device it is about.
 */
export interface LeftOut {
  at: string;
  reason: 'nested' | 'choice' | 'name' | 'empty' | 'unknown';
}

class Unfit extends Error {
  readonly fault: DocumentFault;
  constructor(at: string, reason: string) {
    super(reason);
    this.fault = { at, reason };
  }
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_DEEP = 32;
const MOST_SECTIONS = 300;
const MOST_OPTIONS = 300;
const MOST_ENUM = 500;
const MOST_HELP = 500;
const SECRET = /^(key|psk|pass|wpakey|sae_password|auth_secret|acct_secret|private_key|pincode)$|passw|secret|token/i;
const SCALARS = ['string', 'integer', 'number', 'boolean'];

function resolve(root: Record<string, unknown>, given: unknown, at: string): Record<string, unknown> {
  let value = given;
  for (let hops = 0; isMembers(value) && typeof value['$ref'] === 'string'; hops += 1) {
    const ref = value['$ref'];
    if (!ref.startsWith('#/')) throw new Unfit(at, 'A reference must lead to a place in the same file.');
    if (hops >= MOST_DEEP) throw new Unfit(at, 'A reference leads back to itself.');
    let target: unknown = root;
    for (const part of ref.slice(2).split('/')) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isMembers(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    if (target === undefined) throw new Unfit(at, 'A reference leads nowhere.');
    value = target;
  }
  return isMembers(value) ? value : {};
}

function readText(given: unknown, most: number): Text | undefined {
  if (isMembers(given) && typeof given['en'] === 'string') {
    const texts = Object.entries(given).flatMap(([language, text]) => (typeof text === 'string' ? [[language, text.slice(0, most)]] : []));
    return { en: given['en'].slice(0, most), ...Object.fromEntries(texts) };
  }
  return typeof given === 'string' && given.trim() !== '' ? { en: given.slice(0, most) } : undefined;
}

const textOf = (given: unknown, fallback: string): Text => readText(given, 200) ?? { en: fallback };

const listOf = (given: unknown): unknown[] => (Array.isArray(given) ? given : []);

/** A schema with what its references and `allOf` say, and without `null` among its alternatives; those of which one is left are that one. */
function simplify(root: Record<string, unknown>, given: unknown, at: string, depth = 0): Record<string, unknown> {
  if (depth > MOST_DEEP) throw new Unfit(at, 'A reference leads back to itself.');
  const { allOf, anyOf, oneOf, ...own } = resolve(root, given, at);
  const others = listOf(anyOf ?? oneOf).filter((one) => !isMembers(one) || one['type'] !== 'null');
  const parts = [...listOf(allOf), ...(others.length === 1 ? others : [])].map((part) => simplify(root, part, at, depth + 1));
  const properties: Record<string, unknown> = Object.assign(
    {},
    ...[...parts, own].map((part) => (isMembers(part['properties']) ? part['properties'] : {})),
  );
  return {
    ...Object.assign({}, ...parts),
    ...own,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(others.length > 1 ? { oneOf: others } : {}),
  };
}

function isExpression(pattern: string): boolean {
  try {
    return RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
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
    if (pattern.length > 500) throw new Unfit(at, 'A pattern is too long.');
    if (!isExpression(pattern)) throw new Unfit(at, 'A pattern is no regular expression.');
    if (findRisk(pattern, 4096) !== undefined) throw new Unfit(at, 'A pattern can take too long on some texts.');
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
  if (schema === undefined) return single['oneOf'] === undefined ? 'nested' : 'choice';
  return single === property ? schema : { type: 'array', items: schema, maxItems: 100 };
}

interface Reading {
  root: Record<string, unknown>;
  sections: ConfigSection[];
  leftOut: LeftOut[];
}

function readSection({ root, sections, leftOut }: Reading, id: string, given: Record<string, unknown>, place: unknown, at: string): void {
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
    const schema = optionSchema(root, option, where);
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
    schema,
    labels,
    ...(Object.keys(help).length > 0 ? { help } : {}),
    secrets,
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
    const at = `/paths/${path}`;
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
 * yes or no, or list of these.
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
