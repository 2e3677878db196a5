import { isValidElement, type ReactNode } from 'react';

/** What rjsf knows a member by: it stays the same while the member is renamed, so that the focus stays where it is. */
export function contentKey(name: string, content: ReactNode): string {
  return isValidElement(content) ? (content.key ?? name) : name;
}
