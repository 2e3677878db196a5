import { cx } from './cx.ts';
import styles from './Brand.module.css';

// The product's name is the same in every language.
const NAME = 'Canopy';

interface BrandProps {
  size?: 'medium' | 'large';
  /** Only the sign, for narrow places; the name stays for screen readers. */
  isShort?: boolean;
}

/** The product's sign and name. */
export function Brand({ size = 'medium', isShort = false }: BrandProps) {
  return (
    <span className={cx(styles.brand, size === 'large' && styles.large)}>
      <span className={styles.sign} aria-hidden="true" />
      <span className={isShort ? 'visually-hidden' : styles.name}>{NAME}</span>
    </span>
  );
}
