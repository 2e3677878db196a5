import Badge from 'antd/es/badge';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './StatusMark.module.css';

/** good: filled dot · bad: red ring · warn: square · idle: grey ring · info: accent dot. The shape says what the colour says. */
export type StatusKind = 'good' | 'bad' | 'warn' | 'idle' | 'info';

const STATUS = { good: 'success', bad: 'error', warn: 'warning', idle: 'default', info: 'processing' } as const;

/** A state: mark, word and colour together. */
export function StatusMark({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return <Badge status={STATUS[kind]} text={children} className={cx(styles.status, styles[kind])} />;
}
