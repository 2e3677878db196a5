import { useSyncExternalStore } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import styles from './ScrollToTop.module.css';

// docs/behaviour.md section 2, Navigation.
const SHOWN_AFTER_PX = 300;

/** A way back up, once one has scrolled down. */
export function ScrollToTop() {
  const t = useT();
  const isShown = useSyncExternalStore(subscribeScroll, () => window.scrollY > SHOWN_AFTER_PX);
  if (!isShown) return null;
  return (
    <div className={styles.corner}>
      <IconButton
        icon="arrow-up"
        label={t('shell.scrollToTop')}
        hasBorder
        onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      />
    </div>
  );
}

function subscribeScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}
