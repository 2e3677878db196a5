import AntdTabs from 'antd/es/tabs';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './WorkTabs.module.css';

interface WorkTabsProps {
  tabs: readonly { key: string; title: ReactNode }[];
  active: string | undefined;
  /** Names of the buttons. */
  labels: { add: string; remove: string; more: string };
  onChange(key: string): void;
  onAdd(): void;
  onRemove(key: string): void;
}

/** Tabs that people open and close (Delete closes the one in focus); what is in them is drawn by the caller. */
export function WorkTabs({ tabs, active, labels, onChange, onAdd, onRemove }: WorkTabsProps) {
  return (
    <div className={styles.row}>
      <AntdTabs
        hideAdd
        type="editable-card"
        size="small"
        animated={false}
        className={styles.tabs}
        activeKey={active}
        onChange={onChange}
        onEdit={(target, action) => {
          if (action === 'remove' && typeof target === 'string') onRemove(target);
        }}
        locale={{ removeAriaLabel: labels.remove, dropdownAriaLabel: labels.more }}
        items={tabs.map(({ key, title }) => ({ key, label: title, closeIcon: <Icon name="x" size={12} /> }))}
      />
      {/* antd's own button is a child of the list of tabs, where only tabs belong. */}
      <IconButton icon="plus" size="small" label={labels.add} onClick={onAdd} />
    </div>
  );
}
