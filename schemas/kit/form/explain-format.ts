import type { JsonPrimitive } from './types.ts';

/** A message's key and the values in it. */
export interface Explanation {
  key: string;
  params: Record<string, JsonPrimitive>;
}

// What somebody typed is repeated in the message only as far as it helps.
const SHOWN = 20;

function explainAddress(text: string): Explanation | undefined {
  const numbers = text.split('.');
  if (!numbers.every((part) => /^\d+$/.test(part))) return undefined;
  if (numbers.length !== 4) return { key: 'validation.ipv4.numbers', params: { count: numbers.length } };
  const tooLarge = numbers.find((part) => Number(part) > 255);
  if (tooLarge !== undefined) return { key: 'validation.ipv4.octet', params: { part: tooLarge.slice(0, SHOWN) } };
  const padded = numbers.find((part) => part.length > 1 && part.startsWith('0'));
  return padded === undefined ? undefined : { key: 'validation.ipv4.zeros', params: { part: padded.slice(0, SHOWN) } };
}

function explainCidr(text: string): Explanation | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  if (more.length > 0) return undefined;
  const fault = explainAddress(address);
  if (fault) return fault;
  if (prefix === undefined) return { key: 'validation.cidr.missing', params: {} };
  return { key: 'validation.cidr.prefix', params: {} };
}

/**
 * What exactly is wrong with a text that its format refused, for formats whose fault has a place: `10.0.0.300` → the number 300,
 * `10.0.0.0/40` → the prefix. `undefined` when the format's general message says it best.
 */
export function explainFormat(format: string, text: string): Explanation | undefined {
  if (format === 'ipv4') return explainAddress(text);
  if (format === 'cidr') return explainCidr(text);
  if (format === 'imei' && /^\d+$/.test(text)) return { key: 'validation.imei.digits', params: { count: text.length } };
  return undefined;
}
