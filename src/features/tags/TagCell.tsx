import type { CellProps } from '../../engine/resources/registry.ts';
import { Tag } from '../../ui/index.ts';

/** A tag's name as its chip. */
export function TagCell({ value, row, link }: CellProps) {
  return link(<Tag color={typeof row['color'] === 'string' ? row['color'] : undefined}>{String(value)}</Tag>);
}
