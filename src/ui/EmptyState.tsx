import Empty from 'antd/es/empty';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** What to do about it, in a sentence. */
  text?: ReactNode;
  actions?: ReactNode;
  /** Not empty but gone wrong: drawn in red. */
  isBad?: boolean;
}

/** Nothing is here, and what one can do about it. */
export function EmptyState({ icon = 'inbox', title, text, actions, isBad = false }: EmptyStateProps) {
  return (
    <Empty
      className={styles.empty}
      image={
        <span className={cx(styles.icon, isBad && styles.bad)}>
          <Icon name={icon} size={22} />
        </span>
      }
      description={
        <>
          <p className={styles.title}>{title}</p>
          {text ? <p className={styles.text}>{text}</p> : null}
        </>
      }
    >
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </Empty>
  );
}
