import { OWN_NAME, useTheme, type Theme } from '../kernel/theme/index.ts';
import { cx } from './cx.ts';
import styles from './Brand.module.css';

interface BrandProps {
  size?: 'medium' | 'large';
  /** Only the logo, for narrow places; the name stays for screen readers. */
  isShort?: boolean;
  /** Another theme than the one in force. */
  theme?: Pick<Theme, 'app_name' | 'logo_vector' | 'logo_subtext'>;
}

/** The console's logo and name, as the theme has them. */
export function Brand({ size = 'medium', isShort = false, theme }: BrandProps) {
  const own = useTheme();
  const {
    app_name: name,
    logo_vector: logo,
    logo_subtext: subtext,
  } = theme ?? own ?? { app_name: null, logo_vector: null, logo_subtext: null };
  return (
    <span className={cx(styles.brand, size === 'large' && styles.large)}>
      {logo ? <img className={styles.ownLogo} src={logo} alt="" /> : <span className={styles.logo} aria-hidden="true" />}
      <span className={isShort ? 'visually-hidden' : styles.words}>
        <span className={styles.name}>{name ?? OWN_NAME}</span>
        {subtext ? <span className={styles.subtext}>{subtext}</span> : null}
      </span>
    </span>
  );
}
