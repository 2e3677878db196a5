import { useT } from '../kernel/i18n/index.ts';
import { cx } from './cx.ts';
import styles from './Spinner.module.css';

interface SpinnerProps {
  /** Pixels; 16 unless told. */
  size?: number;
  /** What is waited for; "Loading …" unless told. An empty text draws it for the eye only. */
  label?: string;
  className?: string;
}

/** A turning ring: something is under way and its length is not known. */
export function Spinner({ size = 16, label, className }: SpinnerProps) {
  const t = useT();
  const text = label ?? t('common.loading');
  return (
    <span className={cx(styles.spinner, className)} role={text ? 'status' : undefined} style={{ width: size, height: size }}>
      {text ? <span className="visually-hidden">{text}</span> : null}
    </span>
  );
}
