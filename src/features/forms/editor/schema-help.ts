import { findNodeAtLocation, getLocation, getNodeValue, parseTree, type JSONPath } from 'jsonc-parser';
import meta from '../../../../schemas/meta/form.meta.json' with { type: 'json' };

/** What the meta-schema says about a place; only what completing and explaining need. */
interface Meta {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Meta>;
  additionalProperties?: boolean | Meta;
  items?: Meta;
  definitions?: Record<string, Meta>;
  anyOf?: Meta[];
  oneOf?: Meta[];
  allOf?: Meta[];
  then?: Meta;
  else?: Meta;
}

export interface Suggestion {
  /** As it is in JSON, quotes and all. */
  text: string;
  isKey: boolean;
  explanation: string | undefined;
}

const root: Meta = meta as Meta;

function resolve(schema: Meta): Meta {
  const name = schema.$ref?.replace('#/definitions/', '');
  const target = name === undefined ? undefined : root.definitions?.[name];
  return target ? { ...resolve(target), ...(schema.description === undefined ? {} : { description: schema.description }) } : schema;
}

/** A schema with its alternatives: all that may be at one position. */
function widen(schema: Meta): Meta[] {
  const own = resolve(schema);
  const others = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? []), own.then, own.else];
  return [own, ...others.flatMap((other) => (other ? widen(other) : []))];
}

function step(schema: Meta, segment: string | number): Meta[] {
  if (typeof segment === 'number') return schema.items ? [schema.items] : [];
  if (schema.properties && Object.hasOwn(schema.properties, segment)) return [schema.properties[segment] ?? {}];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** What may be at a path of a form file; empty for a position that the meta-schema does not know. */
function metaAt(path: JSONPath): Meta[] {
  let found = widen(root);
  for (const segment of path) found = found.flatMap((schema) => step(schema, segment)).flatMap(widen);
  return found;
}

const NAMED_FIELDS = new Set(['ui', 'fields']);
const LISTS_OF_FIELDS = new Set(['order', 'required']);

/** The names of the form's own fields, where one is allowed. */
function fieldNames(text: string, path: JSONPath, isKey: boolean): string[] {
  const [first, second, third] = path;
  const isName = isKey && path.length === 2 && NAMED_FIELDS.has(String(first));
  const isListed = !isKey && (LISTS_OF_FIELDS.has(String(first)) || (first === 'schema' && LISTS_OF_FIELDS.has(String(second))));
  if (!isName && !isListed && !(isKey && first === 'fields' && third === 'depends' && path.length === 4)) return [];
  return [...keysPresent(text, ['schema', 'properties'])];
}

function keysPresent(text: string, path: JSONPath): Set<string> {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, path);
  return new Set(node?.type === 'object' ? Object.keys(Object(getNodeValue(node))) : []);
}

/** What can be written at an offset of a form's text, and from where to where it goes. Pure. */
export function suggestionsAt(text: string, offset: number): { from: number; to: number; suggestions: Suggestion[] } {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isInside = previousNode !== undefined && offset >= previousNode.offset && offset <= previousNode.offset + previousNode.length;
  const word = /[\w$:-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const from = isInside ? previousNode.offset : offset - word.length;
  const to = isInside ? previousNode.offset + previousNode.length : offset;
  const names = fieldNames(text, path, isAtPropertyKey).map((name) => ({ name, explanation: undefined }));
  if (isAtPropertyKey) {
    const parent = path.slice(0, -1);
    const present = keysPresent(text, parent);
    const written = isInside ? String(getNodeValue(previousNode)) : '';
    const known = metaAt(parent).flatMap(({ properties }) =>
      Object.entries(properties ?? {}).map(([name, schema]) => ({ name, explanation: resolve(schema).description })),
    );
    const keys = [...names, ...known].filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
    const suggestions = keys
      .filter(({ name }) => !present.has(name) || name === written)
      .map(({ name, explanation }) => ({ text: JSON.stringify(name), isKey: true, explanation }));
    return { from, to, suggestions };
  }
  const values = metaAt(path).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...([schema.type].flat().includes('boolean') ? [true, false] : []),
  ]);
  const texts = [...new Set([...names.map(({ name }) => name), ...values].map((value) => JSON.stringify(value)))];
  return { from, to, suggestions: texts.map((value) => ({ text: value, isKey: false, explanation: undefined })) };
}

/** What the meta-schema says about the key or value at an offset, with its position. Pure. */
export function explanationAt(text: string, offset: number): { from: number; to: number; explanation: string } | undefined {
  const { path, previousNode } = getLocation(text, offset);
  if (!previousNode || offset > previousNode.offset + previousNode.length) return undefined;
  const explanation = metaAt(path).find(({ description }) => description !== undefined)?.description;
  return explanation === undefined ? undefined : { from: previousNode.offset, to: previousNode.offset + previousNode.length, explanation };
}
