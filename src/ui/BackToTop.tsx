import BackTop from 'antd/es/float-button/BackTop';
import { useT } from '../kernel/i18n/index.ts';
import { Icon } from './Icon.tsx';
import styles from './BackToTop.module.css';

// docs/behaviour.md section 2, Navigation.
const SHOWN_AFTER_PX = 300;

/** A way back up, once one has scrolled down. */
export function BackToTop() {
  const label = useT()('ui.scrollToTop');
  return (
    <BackTop
      shape="square"
      visibilityHeight={SHOWN_AFTER_PX}
      duration={matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 300}
      icon={<Icon name="arrow-up" />}
      aria-label={label}
      tooltip={label}
      className={styles.corner}
    />
  );
}
