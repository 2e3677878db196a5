import type { CellProps } from '../../engine/resources/registry.ts';
import { textOfHtml } from './SafeHtml.tsx';

/** The words of an announcement. */
export function AnnouncementTextCell({ value, link }: CellProps) {
  return link(textOfHtml(String(value ?? '')));
}
