import { useCustom } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StripProps } from '../../engine/resources/registry.ts';
import { storeSetting, useKept } from '../../engine/table/stored-setting.ts';
import { NARROW, useMedia } from '../../engine/table/use-media.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { cx, IconButton, PressArea, Skeleton } from '../../ui/index.ts';
import { describeFacets, type Facet, type FacetPart } from './facets.ts';
import styles from './devices.module.css';

type Statistics = Record<string, Record<string, number>>;

/** The user's setting: only the bars are shown, without what they stand for; so it is on a phone by default. */
const SLIM = 'devices.slim-statistics';

const FACETS = ['status', 'connection_type', 'firmware', 'signal'];

/** The fleet in four bars; each part is a filter of the list below. */
export default function StatisticsStrip({ filters, query, onFilter, loadedAt }: StripProps) {
  const t = useT();
  const { query: statistics } = useCustom<Statistics, ApiError>({
    url: '/devices/statistics',
    method: 'get',
    config: { query: { ...query, alternatives: '1' } },
    // Read again with each load of the list.
    meta: { loadedAt },
    queryOptions: { placeholderData: keepPreviousData },
    errorNotification: false,
  });
  const data = statistics.data?.data;
  const facets = data ? describeFacets(data, t) : undefined;
  const isEmpty =
    data && filters.length === 0 && !query['q'] && Object.values(data).every((parts) => Object.values(parts).every((count) => count === 0));
  const isPhone = useMedia(NARROW);
  const kept = useKept(SLIM);
  const isSlim = typeof kept === 'boolean' ? kept : isPhone;
  const toggle = (
    <IconButton
      size="small"
      icon={isSlim ? 'chevron-down' : 'chevron-up'}
      label={t(isSlim ? 'devices.statistics.show' : 'devices.statistics.hide')}
      onClick={() => void storeSetting(SLIM, !isSlim)}
    />
  );
  // Before the first device there is nothing to filter by.
  if (isEmpty) return null;
  return (
    <section aria-label={t('devices.statistics')} className={styles.strip} data-slim={isSlim || undefined}>
      {facets
        ? facets.map((facet, place) => (
            <FacetCard
              key={facet.filter}
              facet={facet}
              chosen={filters.find((filter) => filter.key === facet.filter && !filter.negated)?.values.map(String) ?? []}
              isSlim={isSlim}
              // On a phone the others are scrolled to.
              extra={place === (isPhone ? 0 : facets.length - 1) ? toggle : null}
              onChoose={(values) => onFilter(facet.filter, values)}
            />
          ))
        : FACETS.map((name) => <FacetSkeleton key={name} isSlim={isSlim} />)}
    </section>
  );
}

function FacetSkeleton({ isSlim }: { isSlim: boolean }) {
  return (
    <div className={styles.facet} aria-busy="true">
      <Skeleton width="40%" height={19} />
      <Skeleton height={6} />
      {isSlim ? null : <Skeleton height={52} />}
    </div>
  );
}

interface FacetCardProps {
  facet: Facet;
  chosen: readonly string[];
  /** Without the list of its parts. */
  isSlim: boolean;
  /** At the end of its head. */
  extra: ReactNode;
  onChoose(values: string[]): void;
}

function FacetCard({ facet, chosen, isSlim, extra, onChoose }: FacetCardProps) {
  const t = useT();
  const total = facet.parts.reduce((sum, part) => sum + part.count, 0);
  return (
    <div className={styles.facet}>
      <div className={styles.facetHead}>
        <span>{facet.title}</span>
        <span className={styles.facetEnd}>
          {facet.summary ? <strong>{facet.summary}</strong> : null}
          {extra}
        </span>
      </div>
      <div className={styles.barTrack} aria-hidden="true">
        {facet.parts.map((part) => (
          <span
            key={part.key}
            className={cx(styles.barPart, styles[part.tone])}
            style={{ flexGrow: total === 0 ? 0 : part.count / total }}
          />
        ))}
      </div>
      {isSlim ? null : (
        <ul className={styles.parts}>
          {facet.parts.length === 0 ? <li className={styles.noParts}>{t('devices.statistics.none')}</li> : null}
          {facet.parts.map((part) => (
            <li key={part.key}>
              <PartButton part={part} isChosen={part.values.every((value) => chosen.includes(value))} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function PartButton({ part, isChosen, onChoose }: { part: FacetPart; isChosen: boolean; onChoose(values: string[]): void }) {
  const content = (
    <>
      <span aria-hidden="true" className={cx(styles.dot, styles[part.tone])} />
      {part.label} <strong>{formatNumber(part.count)}</strong>
    </>
  );
  if (part.values.length === 0) return <span className={styles.part}>{content}</span>;
  return (
    <PressArea className={styles.part} isPressed={isChosen} onClick={() => onChoose(isChosen ? [] : [...part.values])}>
      {content}
    </PressArea>
  );
}
