import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** What to do about it, in a sentence. */
  text?: ReactNode;
  actions?: ReactNode;
}

/** Nothing is here, and what one can do about it. */
export function EmptyState({ icon = 'inbox', title, text, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Icon name={icon} size={22} />
      </span>
      <p className={styles.title}>{title}</p>
      {text ? <p className={styles.text}>{text}</p> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
