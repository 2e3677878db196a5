import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { useSession } from '../../kernel/session/index.ts';
import { Brand } from '../../ui/Brand.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useAddedForms } from '../../engine/form/added-forms.ts';
import { findMenuItem } from '../../engine/resources/menu-place.ts';
import { ownMenu, resources } from '../resources.ts';
import { MenuLink } from './MenuLink.tsx';
import styles from './SideMenu.module.css';

interface SideMenuProps {
  isCollapsed?: boolean;
  /** Switches between wide and narrow; without it there is no such button. */
  onCollapse?(): void;
}

/** The navigation: groups with at least one page that the user may see. */
export function SideMenu({ isCollapsed = false, onCollapse }: SideMenuProps) {
  const t = useT();
  const session = useSession();
  const added = useAddedForms();
  // The menu depends on who is signed in.
  const groups = useMemo(() => (session.state === 'unauthenticated' ? [] : ownMenu(added)), [session, added]);
  const { pathname } = useLocation();
  const here = useMemo(() => findMenuItem(resources, groups, pathname), [groups, pathname]);
  return (
    <nav aria-label={t('shell.navigation')} className={cx(styles.menu, isCollapsed && styles.collapsed)}>
      <Link to="/" className={styles.brand}>
        <Brand isShort={isCollapsed} />
      </Link>
      <div className={styles.groups}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-labelledby={`menu-${group.name}`}>
            <div id={`menu-${group.name}`} className={styles.heading}>
              <span>{t(group.label)}</span>
            </div>
            <ul>
              {group.items.map((item) => (
                <li key={item.path}>
                  <MenuLink item={item} isActive={item === here} isShort={isCollapsed} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {onCollapse ? (
        <div className={styles.foot}>
          <IconButton
            icon={isCollapsed ? 'panel-left-open' : 'panel-left-close'}
            label={isCollapsed ? t('shell.widenMenu') : t('shell.narrowMenu')}
            onClick={onCollapse}
          />
        </div>
      ) : null}
    </nav>
  );
}
