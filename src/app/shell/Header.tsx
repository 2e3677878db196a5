import { lazy, Suspense } from 'react';
import { useT, withTexts } from '../../kernel/i18n/index.ts';
import { useTheme } from '../../kernel/theme/index.ts';
import { IconButton } from '../../ui/index.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { GlobalSearch } from './GlobalSearch.tsx';
import styles from './Header.module.css';

const AnnouncementsWidget = lazy(withTexts(['announcements'], () => import('../../features/announcements/AnnouncementsWidget.tsx')));
const NotificationBell = lazy(withTexts(['notifications'], () => import('../../features/notifications/NotificationBell.tsx')));

/** Above every page: search, announcements, notifications and the account; on narrow screens the way to the navigation. */
export function Header({ onMenu }: { onMenu(): void }) {
  const t = useT();
  const shortName = useTheme()?.short_name;
  return (
    <header className={styles.header}>
      <div className={styles.menuButton}>
        <IconButton icon="menu" label={t('shell.openMenu')} aria-haspopup="dialog" onClick={onMenu} />
      </div>
      {shortName ? <span className={styles.shortName}>{shortName}</span> : null}
      <GlobalSearch />
      <div className={styles.end}>
        <Suspense fallback={null}>
          <AnnouncementsWidget />
        </Suspense>
        <Suspense fallback={<span className={styles.bellRoom} />}>
          <NotificationBell />
        </Suspense>
        <AccountMenu />
      </div>
    </header>
  );
}
