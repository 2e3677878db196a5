import AntMenu, { type MenuProps } from 'antd/es/menu';
import type { HTMLAttributes, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './FoldingMenu.module.css';

interface FoldingMenuProps {
  groups: readonly { name: string; label: string; items: readonly { key: string; content: ReactNode }[] }[];
  /** The key of the item that the page belongs to. */
  current?: string;
  /** Names of the groups that are unfolded. */
  open: readonly string[];
  onOpen(open: string[]): void;
  /** Only drawings: groups do not fold, lines keep them apart. */
  isShort?: boolean;
  className?: string;
}

type AntItem = NonNullable<MenuProps['items']>[number];

/**
 * Links in groups that fold. For screen readers they are links and buttons, reached by Tab: antd says `menu`, which promises the keys of a
 * menu of commands, and its own folding headings cannot be changed.
 */
export function FoldingMenu({ groups, current, open, onOpen, isShort = false, className }: FoldingMenuProps) {
  const items = groups.map(({ name, label, items: links }): AntItem => {
    const isOpen = isShort || open.includes(name);
    const fold = () => onOpen(isOpen ? open.filter((one) => one !== name) : [...open, name]);
    return {
      type: 'group',
      key: name,
      label: isShort ? null : (
        <button type="button" aria-expanded={isOpen} className={styles.heading} onClick={fold}>
          {label}
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={14} />
        </button>
      ),
      children: isOpen ? links.map(plainItem) : [],
    };
  });
  return (
    <AntMenu
      mode="inline"
      role="presentation"
      tabIndex={-1}
      className={cx(styles.menu, isShort && styles.short, className)}
      items={items}
      inlineIndent={0}
      selectedKeys={current === undefined ? [] : [current]}
    />
  );
}

function plainItem({ key, content }: { key: string; content: ReactNode }): AntItem {
  // antd hands these on to the element.
  const attributes: Pick<HTMLAttributes<HTMLElement>, 'role' | 'tabIndex'> = { role: 'none', tabIndex: undefined };
  return { key, label: content, ...attributes };
}
