import type { ReactNode } from 'react';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { useNetwork } from '../../kernel/network.ts';
import { useCan } from '../../kernel/session/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import { Banner, Button, EmptyState, ErrorState, findIconName, ListNotice, ListStateFrame } from '../../ui/index.ts';
import type { Resource } from '../resources/resource.ts';
import { resourceTitle } from './labels.ts';
import type { Rows } from './use-rows.ts';

export interface ListStateProps {
  resource: Resource;
  rows: Rows;
  isFiltered: boolean;
  /** The button that makes the first record, where the user may. */
  primaryAction: ReactNode;
  onClearFilters: () => void;
}

/** Shown in place of the rows when there are none: nothing yet, nothing that matches, or a failure. `null` while rows are on their way or here. */
export function ListStateBox({ resource, rows, isFiltered, primaryAction, onClearFilters }: ListStateProps) {
  const t = useT();
  const can = useCan();
  const { error } = rows;
  if (error && rows.rows.length === 0) {
    return (
      <ListStateFrame>
        {error.status === 403 ? <NoPermission resource={resource} /> : <ErrorState error={error} onRetry={rows.reload} />}
      </ListStateFrame>
    );
  }
  if (rows.isFirstLoad || rows.total > 0 || rows.rows.length > 0) return null;
  if (isFiltered) {
    return (
      <ListStateFrame>
        <EmptyState
          icon="search"
          title={t('table.noMatchTitle')}
          text={t('table.noMatchText')}
          actions={<Button onClick={onClearFilters}>{t('table.clearFilters')}</Button>}
        />
      </ListStateFrame>
    );
  }
  const own = `resources.${resource.name}.empty`;
  const adds = resource.actions?.find((action) => action.primary === true && action.on.includes('header'));
  const words = [...(hasText(own) ? [t(own)] : []), ...(adds && !can(adds.permission) ? [t('table.emptyAsk')] : [])];
  return (
    <ListStateFrame>
      <EmptyState
        icon={findIconName(resource.menu?.icon, 'inbox')}
        title={t('table.emptyTitle')}
        {...(words.length > 0 ? { text: words.join(' ') } : {})}
        actions={primaryAction}
      />
    </ListStateFrame>
  );
}

/** The user may not see these records. */
export function NoPermission({ resource }: { resource: Resource }) {
  const t = useT();
  return (
    <EmptyState icon="lock" title={t('table.noPermissionTitle')} text={t('table.noPermissionText', { name: resourceTitle(resource) })} />
  );
}

/** Says that what is on screen is older than it looks: no network, or the last load failed. */
export function StaleBanner({ rows }: { rows: Rows }) {
  const t = useT();
  const network = useNetwork();
  if (rows.loadedAt === 0) return null;
  const isStale = rows.error !== undefined && rows.rows.length > 0;
  if (network === 'online' && !isStale) return null;
  const time = formatTime(rows.loadedAt, 'HH:mm:ss');
  if (network !== 'online')
    return (
      <ListNotice>
        <Banner kind="warn">{t('table.offline', { time })}</Banner>
      </ListNotice>
    );
  const id = rows.error instanceof ApiError ? rows.error.requestId : undefined;
  return (
    <ListNotice>
      <Banner kind="bad" title={t('table.stale', { time })} actions={<Button onClick={rows.reload}>{t('common.tryAgain')}</Button>}>
        {failureMessage(rows.error)} {id ? `${t('common.requestId')} ${id}` : ''}
      </Banner>
    </ListNotice>
  );
}
