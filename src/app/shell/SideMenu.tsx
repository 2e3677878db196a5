import { useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { useSession } from '../../kernel/session/index.ts';
import { Brand, cx, FoldingMenu, IconButton } from '../../ui/index.ts';
import { useAddedForms } from '../../engine/form/added-forms.ts';
import { findMenuItem } from '../../engine/resources/find-menu-item.ts';
import { storeSetting, useKept } from '../../engine/table/stored-setting.ts';
import { homePath, ownMenu, resources } from '../resources.ts';
import { MenuLink } from './MenuLink.tsx';
import styles from './SideMenu.module.css';

interface SideMenuProps {
  isCollapsed?: boolean;
  /** Switches between wide and narrow; without it there is no such button. */
  onCollapse?(): void;
}

/** The user's setting with the names of the groups that are unfolded. */
const OPEN_GROUPS = 'menu.open-groups';

/** The navigation: groups with at least one page that the user may see. */
export function SideMenu({ isCollapsed = false, onCollapse }: SideMenuProps) {
  const t = useT();
  const session = useSession();
  const added = useAddedForms();
  // The menu depends on who is signed in.
  const groups = useMemo(() => (session.state === 'unauthenticated' ? [] : ownMenu(added)), [session, added]);
  const { pathname } = useLocation();
  const here = useMemo(() => findMenuItem(resources, groups, pathname), [groups, pathname]);
  const { open, change } = useOpenGroups(
    groups.map(({ name }) => name),
    groups.find(({ items }) => items.some((item) => item === here))?.name,
  );
  return (
    <nav aria-label={t('shell.navigation')} className={cx(styles.menu, isCollapsed && styles.collapsed)}>
      <Link to={homePath()} className={styles.brand}>
        <Brand isShort={isCollapsed} />
      </Link>
      <FoldingMenu
        className={styles.groups}
        isShort={isCollapsed}
        current={here?.path}
        open={open}
        onOpen={change}
        groups={groups.map((group) => ({
          name: group.name,
          label: t(group.label),
          items: group.items.map((item) => ({
            key: item.path,
            content: <MenuLink item={item} isActive={item === here} isShort={isCollapsed} />,
          })),
        }))}
      />
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

/** Which groups are unfolded: those that the user left so, at first the first one; and that of the page, until the user folds it there. */
function useOpenGroups(names: readonly string[], current: string | undefined) {
  const kept = useKept(OPEN_GROUPS);
  const [foldedHere, setFoldedHere] = useState<string>();
  const own = Array.isArray(kept) ? names.filter((name) => kept.includes(name)) : names.slice(0, 1);
  const open = names.filter((name) => own.includes(name) || (name === current && name !== foldedHere));
  const change = (next: readonly string[]) => {
    setFoldedHere(current !== undefined && !next.includes(current) ? current : undefined);
    void storeSetting(OPEN_GROUPS, [...next]);
  };
  return { open: foldedHere === current ? open.filter((name) => name !== foldedHere) : open, change };
}
