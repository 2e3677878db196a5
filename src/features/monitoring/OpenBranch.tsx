import { useState, type ReactNode } from 'react';
import styles from './monitoring.module.css';

/** A part of a tree that is made when it is opened: API documents describe thousands of members. */
export function OpenBranch({
  summary,
  isOpenAtFirst = false,
  children,
}: {
  summary: ReactNode;
  isOpenAtFirst?: boolean;
  children: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <details open={isOpenAtFirst} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{summary}</summary>
        {isOpen ? <ul className={styles.tree}>{children()}</ul> : null}
      </details>
    </li>
  );
}
