import { useState } from 'react';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { MINUTE } from '../../kernel/time/index.ts';
import { Button, ErrorState, SearchInput, Skeleton } from '../../ui/index.ts';
import { TARGETS_PER_PAGE } from './job-api.ts';
import { GroupFilters } from './GroupFilters.tsx';
import { countGroups, groupOf, isOver, STATES_OF } from './progress.ts';
import { firstLine } from './plain-output.ts';
import { TargetRow } from './TargetRow.tsx';
import { targetWords } from './target-words.ts';
import { useLastSeen, useTargets } from './use-targets.ts';
import styles from './jobs.module.css';
import type { Job, JobTarget } from './job-api.ts';
import type { TargetGroup } from './progress.ts';
import type { JobState } from './use-job.ts';

interface TargetListProps {
  job: Job;
  state: JobState;
  now: number;
  selected: ReadonlySet<number>;
  onSelect: (id: number, isSelected: boolean) => void;
  /** Somebody goes to the page of a device. */
  onLeave?: () => void;
}

// Below this a search would only take room.
const SEARCH_FROM = 10;

/** The devices of a job, a page at a time. */
export function TargetList({ job, state, now, selected, onSelect, onLeave }: TargetListProps) {
  const t = useT();
  const [q, setQ] = useState('');
  const [group, setGroupOnly] = useState<TargetGroup>();
  const [page, setPage] = useState(0);
  const setGroup = (next: TargetGroup | undefined) => {
    setGroupOnly(next);
    setPage(0);
  };
  const query = { states: group ? STATES_OF[group] : [], q, page };
  const { targets, total, isFirstLoad, error, retry } = useTargets(job.id, query, state);
  const lastSeen = useLastSeen(targets);
  const pages = Math.max(1, Math.ceil(total / TARGETS_PER_PAGE));
  const canSelect = isOver(job);
  // Rows that only show an age need no redrawing each second.
  const minute = Math.ceil(now / MINUTE) * MINUTE;

  return (
    <>
      <div className={styles.head}>
        <GroupFilters counts={countGroups(job.counts)} chosen={group} onChoose={setGroup} />
        {job.total > SEARCH_FROM ? (
          <SearchInput
            label={t('jobs.search')}
            value={q}
            className={styles.search}
            onChange={(next) => {
              setQ(next);
              setPage(0);
            }}
          />
        ) : null}
      </div>
      {error && targets.length === 0 ? <ErrorState error={error} onRetry={retry} /> : null}
      {isFirstLoad ? <Skeleton height={220} /> : null}
      {!isFirstLoad && !error && targets.length === 0 ? <p className={styles.none}>{t('jobs.no_targets')}</p> : null}
      {canSelect && targets.length === job.total ? <SameResults targets={targets} kind={job.kind} now={minute} /> : null}
      <ul className={styles.targets} aria-label={t('jobs.targets')}>
        {targets.map((target) => (
          <TargetRow
            key={target.id}
            target={target}
            kind={job.kind}
            isInWaves={job.waves !== null}
            isWaiting={job.waves === null && job.waits_until !== null && job.state === 'running'}
            now={groupOf(target.state) === 'running' ? now : minute}
            lastSeen={target.device_id === null ? undefined : lastSeen.get(target.device_id)}
            canSelect={canSelect}
            isSelected={selected.has(target.id)}
            isOnly={job.total === 1}
            onSelect={onSelect}
            {...(onLeave ? { onLeave } : {})}
          />
        ))}
      </ul>
      {pages > 1 ? (
        <div className={styles.pages}>
          <span>
            {t('jobs.page', {
              from: formatNumber(page * TARGETS_PER_PAGE + 1),
              to: formatNumber(Math.min(total, (page + 1) * TARGETS_PER_PAGE)),
              total: formatNumber(total),
            })}
          </span>
          <Button size="small" icon="chevron-left" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('jobs.previous')}
          </Button>
          <Button size="small" iconEnd="chevron-right" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
            {t('jobs.next')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

// Fewer devices are read at a glance.
const GROUPED_FROM = 4;
const MOST_GROUPS = 5;

/** Which devices had the same result: how many, and what it was. Nothing where hardly two agree. */
function SameResults({ targets, kind, now }: { targets: readonly JobTarget[]; kind: string; now: number }) {
  const t = useT();
  const groups = Map.groupBy(targets, (target) =>
    [targetWords(target, { kind, now, isPast: true }), target.steps > 1 ? '' : firstLine(target.output)].filter(Boolean).join(' · '),
  );
  if (targets.length < GROUPED_FROM || groups.size > MOST_GROUPS || groups.size > targets.length / 2) return null;
  const sorted = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <ul className={styles.same} aria-label={t('jobs.same_results')}>
      {sorted.map(([words, same]) => (
        <li key={words}>
          <strong>{t('jobs.devices', { count: same.length })}</strong> {words}
        </li>
      ))}
    </ul>
  );
}
