import type { PermissionEntry } from '../form/types.ts';

type Known = Pick<PermissionEntry, 'name' | 'category'>;

/**
 * The permission to see what an action works on: `view_` of the same thing, else the first view of its category (docs/behaviour.md section 6).
 * Undefined for a view itself, and where nothing is seen.
 */
export function viewOf(name: string, known: readonly Known[]): string | undefined {
  if (name.startsWith('view_')) return undefined;
  const own = `view_${name.slice(name.indexOf('_') + 1)}`;
  if (known.some((permission) => permission.name === own)) return own;
  const category = known.find((permission) => permission.name === name)?.category;
  return known.find((permission) => permission.category === category && permission.name.startsWith('view_'))?.name;
}

/** These permissions, and the views that their actions bring along; each once, in the order of `known`. */
export function withViews(names: Iterable<string>, known: readonly Known[]): string[] {
  const all = new Set(names);
  for (const name of [...all]) {
    const view = viewOf(name, known);
    if (view !== undefined) all.add(view);
  }
  return known.filter((permission) => all.has(permission.name)).map((permission) => permission.name);
}

/** These permissions without one, and without the actions that cannot be had without it. */
export function withoutView(names: Iterable<string>, dropped: string, known: readonly Known[]): string[] {
  return [...names].filter((name) => name !== dropped && viewOf(name, known) !== dropped);
}
