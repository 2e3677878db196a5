import { useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { readCookie, writeCookie } from '../../kernel/cookies.ts';
import { useUser } from '../../kernel/session/index.ts';
import { cx } from '../../ui/index.ts';
import { rememberPath } from '../resources.ts';
import { Header } from './Header.tsx';
import { ImpersonationBanner } from './ImpersonationBanner.tsx';
import { MobileMenu } from './MobileMenu.tsx';
import { Notices } from './Notices.tsx';
import { SideMenu } from './SideMenu.tsx';
import styles from './Shell.module.css';

/** A cookie, so that the server draws the first page as wide as it will be. */
const MENU_COOKIE = 'canopy_menu';

/** The frame of every page: navigation, header, notices and the page itself. */
export function Shell() {
  const t = useT();
  const user = useUser();
  const { pathname } = useLocation();
  const [isCollapsed, setCollapsed] = useState(readCookie(MENU_COOKIE) === 'collapsed');
  const [menuPath, setMenuPath] = useState<string>();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);

  useEffect(() => {
    rememberPath(pathname);
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    window.scrollTo(0, 0);
    // Screen readers go on from the new page, and the next Tab starts in it.
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  const handleCollapse = () => {
    writeCookie(MENU_COOKIE, isCollapsed ? undefined : 'collapsed');
    setCollapsed(!isCollapsed);
  };
  return (
    <div className={cx(styles.shell, isCollapsed && styles.collapsed, user.act && styles.acting)}>
      <a href="#main" className={styles.skip}>
        {t('shell.skipToContent')}
      </a>
      <div className={styles.side}>
        <SideMenu isCollapsed={isCollapsed} onCollapse={handleCollapse} />
      </div>
      {/* Open for this path only: going anywhere closes it. */}
      <MobileMenu isOpen={menuPath === pathname} onClose={() => setMenuPath(undefined)} />
      <div className={styles.body}>
        <ImpersonationBanner />
        <Header onMenu={() => setMenuPath(pathname)} />
        <Notices />
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
