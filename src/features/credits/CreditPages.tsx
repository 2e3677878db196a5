import { NavLink } from 'react-router';
import { getResource } from '../../engine/resources/all.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import styles from './credits.module.css';

const PAGES = ['credits', 'device-credits', 'credit-codes', 'credit-history', 'data-history'];

/** The pages of the resources, side by side above each of their lists. */
export function CreditPages() {
  const t = useT();
  const can = useCan();
  return (
    <nav className={styles.pages} aria-label={t('credits.pages')}>
      {PAGES.map(getResource)
        .filter(({ permission }) => can(permission.list))
        .map(({ name, routes }) => (
          <NavLink key={name} end to={routes.list ?? ''} className={styles.pageLink}>
            {t(`credits.page.${name}`)}
          </NavLink>
        ))}
    </nav>
  );
}
