import type { ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Banner.module.css';

export type BannerKind = 'info' | 'good' | 'warn' | 'bad';
const ICONS: Record<BannerKind, IconName> = { info: 'info', good: 'circle-check', warn: 'triangle-alert', bad: 'circle-alert' };

interface BannerProps {
  kind?: BannerKind;
  title?: string;
  actions?: ReactNode;
  onDismiss?(): void;
  /** Reaches both edges: for the top of the page. */
  isWide?: boolean;
  children?: ReactNode;
}

/** A message that stays with what it is about. A bad one is read out at once, the others when there is a pause. */
export function Banner({ kind = 'info', title, actions, onDismiss, isWide = false, children }: BannerProps) {
  const t = useT();
  return (
    <div role={kind === 'bad' ? 'alert' : 'status'} className={cx(styles.banner, styles[kind], isWide && styles.wide)}>
      <Icon name={ICONS[kind]} className={styles.icon} />
      <div className={styles.text}>
        {title ? <strong>{title}</strong> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {onDismiss ? <IconButton icon="x" size="small" label={t('common.dismiss')} onClick={onDismiss} /> : null}
    </div>
  );
}
