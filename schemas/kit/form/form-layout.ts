import { fieldsOf } from './form-fields.ts';
import type { FormFile, FormSection } from './types.ts';

/** What is in a form, one below the other. */
export type LayoutItem =
  { kind: 'field'; path: string } | { kind: 'group'; path: string; items: LayoutItem[] } | { kind: 'alert'; name: string };

export interface FormLayout {
  /** What is in no section. */
  first: LayoutItem[];
  sections: { section: FormSection; items: LayoutItem[] }[];
}

const known = new WeakMap<FormFile, FormLayout>();

function arrange(form: FormFile): FormLayout {
  const fields = fieldsOf(form);
  const alerts = form.alerts ?? {};
  const isAlert = (name: string): boolean => Object.hasOwn(alerts, name) && !fields.has(name);
  const placed = new Set<string>();
  const named = (form.sections ?? []).map((section) => ({
    section,
    names: section.fields.filter((name) => (fields.has(name) || isAlert(name)) && placed.size !== placed.add(name).size),
  }));
  const ranks = new Map((form.order ?? []).map((name, index) => [name, index]));
  const rank = (name: string): number => ranks.get(name) ?? Infinity;

  function itemsIn(parent: string): LayoutItem[] {
    const members = [...fields.values()].filter((field) => field.parent === parent).map(({ path }) => path);
    const messages = parent === '' ? Object.keys(alerts).filter(isAlert) : [];
    const sorted = [...members, ...messages.filter((name) => ranks.has(name))].toSorted((a, b) => compare(rank(a), rank(b)));
    return [...messages.filter((name) => !ranks.has(name)), ...sorted].filter((name) => !placed.has(name)).map(itemOf);
  }
  function itemOf(name: string): LayoutItem {
    const field = fields.get(name);
    if (!field) return { kind: 'alert', name };
    return field.isGroup ? { kind: 'group', path: name, items: itemsIn(name) } : { kind: 'field', path: name };
  }
  return { first: itemsIn(''), sections: named.map(({ section, names }) => ({ section, items: names.map(itemOf) })) };
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/**
 * The position of each field, group and alert of a form: `order` sorts every level, a section takes what it names (a member of a group is then
 * there instead of in its group), what nobody names follows in the order of the schema, and messages that nobody places are above all. The same object for the same form.
 */
export function layoutOf(form: FormFile): FormLayout {
  const before = known.get(form);
  if (before) return before;
  const layout = arrange(form);
  known.set(form, layout);
  return layout;
}

/** The paths of the fields and groups in these items, in the order drawn. */
export function pathsIn(items: readonly LayoutItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'alert') return [];
    return item.kind === 'field' ? [item.path] : [item.path, ...pathsIn(item.items)];
  });
}

/** Every path of a form in the order drawn. */
export function drawnOrder(form: FormFile): string[] {
  const { first, sections } = layoutOf(form);
  return [...pathsIn(first), ...sections.flatMap(({ items }) => pathsIn(items))];
}
