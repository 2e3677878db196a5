import AntCard from 'antd/es/card';
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
  return (
    <AntCard
      role={title ? 'region' : undefined}
      aria-labelledby={title ? id : undefined}
      className={cx(styles.card, isFlush && styles.flush, className)}
      title={title ? <h2 id={id}>{title}</h2> : undefined}
      extra={extra}
    >
      {children}
    </AntCard>
  );
}
