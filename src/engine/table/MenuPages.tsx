import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { TabLinks } from '../../ui/index.ts';
import { resources } from '../resources/all.ts';
import { deriveMenuPages } from '../resources/derive.ts';
import type { Resource } from '../resources/resource.ts';
import { resourceTitle } from './labels.ts';

/** The lists that share this one's entry of the menu, side by side. */
export function MenuPages({ resource }: { resource: Resource }) {
  const t = useT();
  const can = useCan();
  const pages = deriveMenuPages(resources, resource, can);
  if (pages.length === 0) return null;
  const tabs = pages.map((page) => ({
    to: page.routes.list ?? '/',
    label: resourceTitle(page),
    isCurrent: page.name === resource.name,
  }));
  return <TabLinks label={t(`menu.of.${resource.menu?.of}`)} tabs={tabs} />;
}
