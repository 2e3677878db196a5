import { useT } from '../../kernel/i18n/index.ts';
import { findIconName, Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import styles from '../../ui/table/Table.module.css';
import type { ActionEntry } from '../../../schemas/kit/resource-types.ts';
import { appliesTo } from '../actions/applicability.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { actionLabel, ruleText } from './labels.ts';

export interface RowMenuProps {
  row: Row;
  name: string;
  resource: Resource;
  actions: readonly ActionEntry[];
  onAction: (action: ActionEntry, row: Row) => void;
}

/** The button at a row's end and what it offers; what does not apply to this record is there, disabled, with the reason. */
export function RowMenu({ row, name, resource, actions, onAction }: RowMenuProps) {
  const t = useT();
  const label = t('table.rowActions', { name });
  const isFirstDanger = (index: number) => actions[index]?.danger === true && actions[index - 1]?.danger !== true && index > 0;
  const entries = actions.map((action, index): MenuEntry => {
    const applies = appliesTo(action, row);
    return {
      id: action.id,
      label: actionLabel(action.id),
      icon: findIconName(action.icon, 'circle'),
      isDanger: action.danger ?? false,
      hasDivider: isFirstDanger(index),
      isDisabled: !applies,
      ...(applies ? {} : { detail: ruleText(resource, action) }),
      onSelect: () => onAction(action, row),
    };
  });
  return (
    <Menu entries={entries} label={label}>
      <button type="button" className={styles.menuButton} aria-label={label} data-row-menu>
        <Icon name="ellipsis" />
      </button>
    </Menu>
  );
}
