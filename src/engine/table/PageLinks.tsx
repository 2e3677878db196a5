import { useLocation } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { TabLinks } from '../../ui/index.ts';
import { getResource } from '../resources/all.ts';

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
  const { pathname } = useLocation();
  const tabs = pages
    .map(getResource)
    .filter(({ permission }) => can(permission.list))
    .map(({ name, routes: { list = '' } }) => ({ to: list, label: t(`${words}.page.${name}`), isCurrent: list === pathname }));
  return <TabLinks label={t(`${words}.pages`)} tabs={tabs} />;
}
