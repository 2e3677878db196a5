import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Card.module.css';

interface CardProps {
  title?: string;
  /** At the end of the title's line. */
  extra?: ReactNode;
  className?: string;
  /** No inner space: for tables and lists that reach the edge. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A white sheet on the page; with a title it is a named section. */
export function Card({ title, extra, className, isFlush = false, children }: CardProps) {
  const id = useId();
  const body = <div className={cx(!isFlush && styles.body)}>{children}</div>;
  if (!title) return <div className={cx(styles.card, className)}>{body}</div>;
  return (
    <section aria-labelledby={id} className={cx(styles.card, className)}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {extra}
      </div>
      {body}
    </section>
  );
}
