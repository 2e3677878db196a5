import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { helpAddress } from '../../kernel/help.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { seesBelow, useCan, useUser } from '../../kernel/session/index.ts';
import { ListButtons, PageHeader } from '../../ui/index.ts';
import { resources } from '../resources/all.ts';
import { deriveParent } from '../resources/derive.ts';
import type { Resource } from '../resources/resource.ts';
import { resourceTitle } from './labels.ts';
import type { ListState } from './list-state.ts';

interface ListHeadProps {
  resource: Resource;
  state: ListState;
  /** The list is part of another page, which has a title of its own. */
  isPart: boolean;
  /** How many records match; undefined while it is not known. */
  total: number | undefined;
  actions: ReactNode;
}

/** The title of a list with how much is in it, the way up, help and actions; only the actions where the list is part of another page. */
export function ListHead({ resource, state, isPart, total, actions }: ListHeadProps) {
  const t = useT();
  const can = useCan();
  const user = useUser();
  if (isPart) return <ListButtons>{actions}</ListButtons>;
  const parent = deriveParent(resources, resource, can);
  const above = parent?.routes.list;
  const help = helpAddress(resource.help);
  const isNarrowed = state.filters.length > 0 || state.q !== '';
  const seesMore = can('view_companies') && seesBelow(user);
  const countKey = user.scope === 'all' ? 'table.countAll' : seesMore ? 'table.countBelow' : 'table.countIn';
  return (
    <PageHeader
      title={resourceTitle(resource)}
      breadcrumb={
        parent && above
          ? [
              <Link key="above" to={above}>
                {resourceTitle(parent)}
              </Link>,
            ]
          : undefined
      }
      subtitle={
        total === undefined || resource.isApartFromCompanies
          ? null
          : isNarrowed
            ? t('table.found', { count: total })
            : t(countKey, { count: total, company: user.company_name })
      }
      isSubtitleCut
      help={help === undefined ? undefined : { address: help, label: t('dialogs.help_of', { title: resourceTitle(resource) }) }}
      actions={actions}
    />
  );
}
