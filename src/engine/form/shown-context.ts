import { createContext } from 'react';
import type { LayoutItem } from '../../../schemas/kit/form/form-layout.ts';

/** What of a form's own fields and messages is drawn now. */
export interface Shown {
  fields: ReadonlySet<string>;
  alerts: ReadonlySet<string>;
}
export const ShownContext = createContext<Shown>({ fields: new Set(), alerts: new Set() });

/** Whether anything of these items is drawn. */
export function hasShown(items: readonly LayoutItem[], shown: Shown): boolean {
  return items.some((item) => {
    if (item.kind === 'alert') return shown.alerts.has(item.name);
    return shown.fields.has(item.path) && (item.kind === 'field' || hasShown(item.items, shown));
  });
}
