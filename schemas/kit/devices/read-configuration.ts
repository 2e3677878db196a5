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

function textOf(given: unknown, fallback: string): Text {
  if (isMembers(given) && typeof given['en'] === 'string') {
    const texts = Object.entries(given).flatMap(([language, text]) => (typeof text === 'string' ? [[language, text.slice(0, 200)]] : []));
    return { en: given['en'].slice(0, 200), ...Object.fromEntries(texts) };
  }
  return { en: typeof given === 'string' && given.trim() !== '' ? given.slice(0, 200) : fallback };
}

function isExpression(pattern: string): boolean {
  try {
    return RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function scalar(property: Record<string, unknown>, at: string): JsonSchema | undefined {
  const types = Array.isArray(property['type']) ? property['type'].filter((one) => one !== 'null') : [property['type'] ?? 'string'];
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

function optionSchema(root: Record<string, unknown>, given: unknown, at: string): JsonSchema | undefined {
  const property = resolve(root, given, at);
  if (property['type'] !== 'array') return scalar(property, at);
  const items = scalar(resolve(root, property['items'], at), at);
  return items === undefined ? undefined : { type: 'array', items, maxItems: 100 };
}

function readSection(root: Record<string, unknown>, id: string, given: Record<string, unknown>, place: unknown, at: string): ConfigSection {
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
  const secrets: string[] = [];
  const members = isMembers(given['properties']) ? Object.entries(given['properties']) : [];
  if (members.length > MOST_OPTIONS) throw new Unfit(at, 'It has too many options.');
  for (const [key, property] of members) {
    const where = `${at}/properties/${key}`;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(key) || key === '__proto__') throw new Unfit(where, 'This is no name of an option.');
    const resolved = resolve(root, property, where);
    const schema = optionSchema(root, property, where);
    if (!schema || resolved['readOnly'] === true) continue;
    properties[key] = schema;
    labels[key] = textOf(resolved['x-title'] ?? resolved['title'], key);
    if (resolved['writeOnly'] === true || resolved['format'] === 'password' || SECRET.test(key)) secrets.push(key);
  }
  if (Object.keys(properties).length === 0) throw new Unfit(at, 'It has no option that a form could show.');
  const schema = { type: 'object' as const, additionalProperties: false, properties };
  return {
    id,
    title: textOf(given['x-title'] ?? given['title'], id),
    config,
    type,
    ...(name === undefined ? {} : { name: String(name) }),
    schema,
    labels,
    secrets,
  };
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
  const schema = resolve(root, resolve(root, content['application/json'], at)['schema'], at);
  const data = isMembers(schema['properties']) ? schema['properties']['data'] : undefined;
  const inner = data === undefined ? schema : resolve(root, data, at);
  return inner['type'] === 'array' ? resolve(root, inner['items'], at) : inner;
}

/**
 * The sections that an API document of devices describes: OpenAPI 3, whose paths name their settings by `x-uci`, or a JSON Schema whose properties do.
 * What is nested deeper than a list of values is left out. Paths without `x-uci` are no sections; a document may have none.
 */
export function readConfiguration(given: unknown): { document: ConfigDocument } | { fault: DocumentFault } {
  try {
    assertShallow(given, 0);
    const root = isMembers(given) ? given : {};
    const info = isMembers(root['info']) ? root['info'] : root;
    const sections: ConfigSection[] = [];
    const paths = isMembers(root['paths']) ? root['paths'] : {};
    for (const [path, entry] of Object.entries(paths)) {
      const id = PATH.exec(path)?.[1];
      if (id === undefined || !isMembers(entry) || entry['x-uci'] === undefined || sections.some((one) => one.id === id)) continue;
      const at = `/paths/${path}`;
      const schema = bodySchema(root, entry, at);
      sections.push(
        readSection(root, id, { ...schema, 'x-title': entry['x-title'] ?? schema['x-title'] ?? entry['summary'] }, entry['x-uci'], at),
      );
    }
    const properties = isMembers(root['properties']) ? root['properties'] : {};
    for (const [id, property] of Object.entries(properties)) {
      const at = `/properties/${id}`;
      const outer = resolve(root, property, at);
      const place = outer['x-uci'];
      if (place === undefined) continue;
      if (!/^[A-Za-z0-9_/-]{1,120}$/.test(id)) throw new Unfit(at, 'This is no name of a section.');
      const inner = outer['type'] === 'array' ? resolve(root, outer['items'], at) : outer;
      sections.push(readSection(root, id, { ...inner, 'x-title': outer['x-title'] ?? outer['title'] }, place, at));
    }
    if (sections.length > MOST_SECTIONS) throw new Unfit('', 'It has too many sections.');
    return { document: { title: textOf(info['x-title'] ?? info['title'], 'Device'), sections } };
  } catch (error) {
    if (error instanceof Unfit) return { fault: error.fault };
    if (error instanceof URIError || error instanceof RangeError) return { fault: { at: '', reason: 'It cannot be read.' } };
    throw error;
  }
}
