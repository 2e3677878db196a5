import { useT } from '../../kernel/i18n/index.ts';
import { Menu, RowMenuButton } from '../../ui/index.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { actionEntries } from '../actions/action-entries.ts';
import type { Resource, Row } from '../resources/resource.ts';

export interface RowMenuProps {
  row: Row;
  name: string;
  resource: Resource;
  actions: readonly ActionEntry[];
  onAction: (action: ActionEntry, row: Row) => void;
}

/** The button at a row's end and what it offers. */
export function RowMenu({ row, name, resource, actions, onAction }: RowMenuProps) {
  const t = useT();
  const label = t('table.rowActions', { name });
  return (
    <Menu label={label} entries={() => actionEntries(resource, row, actions, (action) => onAction(action, row))}>
      <RowMenuButton label={label} />
    </Menu>
  );
}
