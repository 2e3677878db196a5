import type { ComponentType } from 'react';
import type { Explanation } from '../../../schemas/kit/explain-format.ts';
import type { ErrorItem, FieldUi, JsonSchema, JsonValue } from '../../../schemas/kit/types.ts';
import type { ControlAttributes } from '../../ui/fields/FieldFrame.tsx';

/** What the component of a field kind is given. It shows `value` and tells every change; label, hint and error are drawn around it. */
export interface FieldKindProps {
  /** The field's path. */
  name: string;
  label: string;
  property: JsonSchema;
  ui: FieldUi;
  value: JsonValue | undefined;
  /** What is wrong with it; `source` is the place inside the value, such as `2.port`, or empty. The frame says the sentence, a kind with parts marks the part. */
  errors: readonly ErrorItem[];
  control: ControlAttributes;
  onChange: (value: JsonValue | undefined) => void;
  onBlur: () => void;
}

export interface FieldKind {
  component: ComponentType<FieldKindProps>;
  /** As in `FieldFrame`; `none` draws nothing at all. */
  layout: 'field' | 'group' | 'inline' | 'none';
  /** It wants the widest window that there is. */
  isWide?: boolean;
  /** It says itself what is wrong with its parts (`2.port`); the frame then says only what is wrong with the whole. */
  showsPartErrors?: boolean;
  /** What only this page can tell of an entry: checked together with the rules that the server has too, and told before them. */
  check?: (value: JsonValue, field: { property: JsonSchema; ui: FieldUi }) => Explanation | undefined;
}

const kinds = new Map<string, FieldKind>();

/** Makes a field kind usable as `ui:widget`; the last registration of a name wins. */
export function registerFieldKind(name: string, kind: FieldKind): void {
  kinds.set(name, kind);
}

/** The kind of that name; throws, naming it, when nobody registered it. */
export function getFieldKind(name: string): FieldKind {
  const kind = kinds.get(name);
  if (!kind) throw new Error(`No field kind named "${name}". Known: ${[...kinds.keys()].join(', ')}`);
  return kind;
}

/** The kind of that name, or `undefined`. */
export function findFieldKind(name: string): FieldKind | undefined {
  return kinds.get(name);
}
