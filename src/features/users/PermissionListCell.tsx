import type { CellProps } from '../../engine/resources/registry.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';

const MAX_SHOWN = 2;

/** The first permissions of a list by their titles, and how many more there are. */
export function PermissionListCell({ value }: CellProps) {
  const t = useT();
  const names = Array.isArray(value) ? value.map(String) : [];
  const shown = names.slice(0, MAX_SHOWN).map((name) => (hasText(`permissions.${name}`) ? t(`permissions.${name}`) : name));
  const rest = names.length - shown.length;
  return (
    <span title={names.join(', ')}>
      {shown.join(', ')}
      {rest > 0 ? ` ${t('users.more', { count: rest })}` : ''}
    </span>
  );
}
