import { isMembers } from '../form/form-fields.ts';
import type { Text } from '../form/form-types.ts';

/** What is wrong with a document, and where: `/properties/interfaces`. */
export interface DocumentFault {
  at: string;
  reason: string;
}

/** Thrown for a document that cannot be used. */
export class Unfit extends Error {
  readonly fault: DocumentFault;
  constructor(at: string, reason: string) {
    super(reason);
    this.fault = { at, reason };
  }
}

/** How deep references, `allOf` and levels may go. */
export const MOST_DEEP = 32;

/** What a reference leads to in the same file; an object without members for anything else. Throws Unfit. */
export function resolve(root: Record<string, unknown>, given: unknown, at: string): Record<string, unknown> {
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

/** A text of one language or of several, cut to `most` characters. */
export function readText(given: unknown, most: number): Text | undefined {
  if (isMembers(given) && typeof given['en'] === 'string') {
    const texts = Object.entries(given).flatMap(([language, text]) => (typeof text === 'string' ? [[language, text.slice(0, most)]] : []));
    return { en: given['en'].slice(0, most), ...Object.fromEntries(texts) };
  }
  return typeof given === 'string' && given.trim() !== '' ? { en: given.slice(0, most) } : undefined;
}

export const textOf = (given: unknown, fallback: string): Text => readText(given, 200) ?? { en: fallback };

export const listOf = (given: unknown): unknown[] => (Array.isArray(given) ? given : []);

/** A schema with what its references and `allOf` say, and without `null` among its alternatives; those of which one is left are that one. */
export function simplify(root: Record<string, unknown>, given: unknown, at: string, depth = 0): Record<string, unknown> {
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
