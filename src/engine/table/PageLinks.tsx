import { NavLink } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { getResource } from '../resources/all.ts';
import styles from './PageLinks.module.css';

export interface PageLinksProps {
  /** Names of resources whose lists stand side by side. */
  pages: readonly string[];
  /** Texts: `<words>.pages` names them all, `<words>.page.<resource>` each. */
  words: string;
}

/** Links between lists that belong together, for the strip above each of them; only to those that the user may see. */
export function PageLinks({ pages, words }: PageLinksProps) {
  const t = useT();
  const can = useCan();
  return (
    <nav className={styles.pages} aria-label={t(`${words}.pages`)}>
      {pages
        .map(getResource)
        .filter(({ permission }) => can(permission.list))
        .map(({ name, routes }) => (
          <NavLink key={name} end to={routes.list ?? ''} className={styles.link}>
            {t(`${words}.page.${name}`)}
          </NavLink>
        ))}
    </nav>
  );
}
