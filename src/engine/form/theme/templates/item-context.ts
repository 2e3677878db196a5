import { createContext, use } from 'react';

/** The number of the list item around, counted from 1; 0 outside of a list. */
export const ItemContext = createContext(0);

/** The number of the list item around, counted from 1; 0 outside of a list. */
export function useItemNumber(): number {
  return use(ItemContext);
}
