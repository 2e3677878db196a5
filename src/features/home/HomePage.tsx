import { useCustom } from '@refinedev/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, countBadge, EmptyState, Icon, PageError, PageHeader, Skeleton } from '../../ui/index.ts';
import { FirstStepsCard } from './FirstStepsCard.tsx';
import { AlertLine, FlappingRow, JobRow, OfflineRow, QuarantineRow, RunningOutRow } from './rows.tsx';
import type { HomeData, Part } from './home-data.ts';
import styles from './home.module.css';

const AGAIN_MS = 30_000;

interface Section {
  name: string;
  count: number;
  /** Where all of them are, for those who may go there. */
  to: string | undefined;
  rows: ReactNode[];
}

/** What needs somebody: the parts with something in them first, the others in one line each. */
export default function HomePage() {
  const t = useT();
  const { query } = useCustom<HomeData, ApiError>({
    url: '/home',
    method: 'get',
    queryOptions: { refetchInterval: AGAIN_MS },
    errorNotification: false,
  });
  const data = query.data?.data;
  const sections = useSections(data);
  if (query.error && !data)
    return <PageError error={query.error} onRetry={() => void query.refetch()} action={t('common.load')} item={t('menu.home')} />;
  const open = sections.filter(({ count }) => count > 0);
  const well = sections.filter(({ count }) => count === 0);
  return (
    <div className={styles.page}>
      <PageHeader title={t('menu.home')} subtitle={data && open.length > 0 ? t('home.needs', { count: open.length }) : undefined} />
      {data ? <FirstStepsCard steps={data.first_steps} /> : <Skeleton height={220} />}
      <div className={styles.grid}>
        {open.map((section) => (
          <SectionCard key={section.name} section={section} />
        ))}
      </div>
      {sections.length > 0 && open.length === 0 ? (
        <Card>
          <EmptyState icon="circle-check" title={t('home.all_well')} text={t('home.all_well.text')} />
        </Card>
      ) : null}
      {well.length > 0 ? (
        <Card title={t('home.in_order')}>
          <ul className={styles.well}>
            {well.map(({ name }) => (
              <li key={name}>
                <Icon name="circle-check" size={15} />
                {t(`home.${name}.none`)}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  );
}

function SectionCard({ section: { name, count, to, rows } }: { section: Section }) {
  const t = useT();
  return (
    <Card
      isFlush
      title={t(`home.${name}`)}
      extra={
        <div className={styles.extra}>
          <span className={styles.count}>{countBadge(count)}</span>
          {to === undefined ? null : (
            <Button size="small" to={to}>
              {t('home.show_all')}
            </Button>
          )}
        </div>
      }
    >
      <ul className={styles.rows}>{rows}</ul>
    </Card>
  );
}

function useSections(data: HomeData | undefined): Section[] {
  const can = useCan();
  if (!data) return [];
  const { alerts, offline, flapping, quarantine, failed_jobs, held_jobs, running_out } = data.attention;
  const section = <R,>(
    name: string,
    part: Part<R> | null,
    to: string | undefined,
    draw: (row: R, index: number) => ReactNode,
  ): Section[] => (part ? [{ name, count: part.count, to, rows: part.rows.map(draw) }] : []);
  return [
    ...section('alerts', alerts, '/management/alerts?state=open', (row) => <AlertLine key={row.id} row={row} />),
    ...section('offline', offline, '/management/devices?status=offline', (row) => <OfflineRow key={row.id} row={row} />),
    ...section('flapping', flapping, can('view_device_logs') ? '/statistics/connection-manager?type=disconnected' : undefined, (row) => (
      <FlappingRow key={row.id} row={row} />
    )),
    ...section('quarantine', quarantine, '/management/devices?quarantine=duplicate_serial,rejoin,not_approved', (row) => (
      <QuarantineRow key={row.id} row={row} />
    )),
    ...section('failed_jobs', failed_jobs, '/management/jobs?state=finished', (row) => <JobRow key={row.id} row={row} />),
    ...section('held_jobs', held_jobs, '/management/jobs?state=queued,running', (row) => <JobRow key={row.id} row={row} isHeld />),
    ...section('running_out', running_out, can('view_credits') ? '/resources' : undefined, (row, index) => (
      <RunningOutRow key={`${row.kind}-${index}`} row={row} />
    )),
  ];
}
