import type { ErrorItem } from '../../../../schemas/kit/types.ts';

/** The way from a field to the part that an error is about: `rows.2.port` at the field `rows` → `['2', 'port']`; empty for the field itself. */
export function partOf(name: string, { source }: ErrorItem): string[] {
  return source?.startsWith(`${name}.`) ? source.slice(name.length + 1).split('.') : [];
}
