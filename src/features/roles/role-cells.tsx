import type { CellProps } from '../../engine/resources/registry.ts';
import { roleDescription } from './role-words.ts';

export function RoleDescriptionCell({ row, value }: CellProps) {
  return roleDescription(String(row['name']), String(value ?? ''));
}
