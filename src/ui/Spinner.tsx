import Spin from 'antd/es/spin';
import { useT } from '../kernel/i18n/index.ts';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './Spinner.module.css';

interface SpinnerProps {
  /** Pixels; the default is 16. */
  size?: number;
  /** What is waited for; the default is "Loading …". An empty text draws it for the eye only. */
  label?: string;
  className?: string;
}

/** A turning ring: something goes on and its length is not known. */
export function Spinner({ size = 16, label, className }: SpinnerProps) {
  const t = useT();
  const text = label ?? t('common.loading');
  return (
    <span className={cx(styles.spinner, className)} role={text ? 'status' : undefined}>
      <Spin aria-hidden="true" indicator={<Icon name="loader-circle" size={size} className={styles.ring} />} />
      {text ? <span className="visually-hidden">{text}</span> : null}
    </span>
  );
}
