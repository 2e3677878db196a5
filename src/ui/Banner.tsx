import Alert, { type AlertProps } from 'antd/es/alert';
import type { ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Banner.module.css';

export type BannerKind = 'info' | 'good' | 'warn' | 'bad';
const ICONS: Record<BannerKind, IconName> = { info: 'info', good: 'circle-check', warn: 'triangle-alert', bad: 'circle-alert' };
const TYPES: Record<BannerKind, AlertProps['type']> = { info: 'info', good: 'success', warn: 'warning', bad: 'error' };

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
  // antd's own cross takes the message away before its owner has agreed.
  const dismiss = onDismiss && <IconButton icon="x" size="small" label={t('common.dismiss')} onClick={onDismiss} />;
  return (
    <Alert
      role={kind === 'bad' ? 'alert' : 'status'}
      type={TYPES[kind]}
      banner={isWide}
      showIcon
      icon={<Icon name={ICONS[kind]} />}
      className={cx(styles.banner, isWide && styles.wide)}
      message={
        <>
          {title ? <strong>{title}</strong> : null}
          {children ? <div>{children}</div> : null}
        </>
      }
      action={
        actions || dismiss ? (
          <div className={styles.actions}>
            {actions}
            {dismiss}
          </div>
        ) : undefined
      }
    />
  );
}
