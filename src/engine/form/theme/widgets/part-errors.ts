import type { ErrorItem } from '../../../../../schemas/kit/form/types.ts';

/** The way to the part of a field that an error is about: `2.port` → `['2', 'port']`; empty for the field itself. */
export function partOf({ source = '' }: ErrorItem): string[] {
  return source === '' ? [] : source.split('.');
}
