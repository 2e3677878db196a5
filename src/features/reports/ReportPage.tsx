import { useOne } from '@refinedev/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT } from '../../kernel/i18n/index.ts';
import { BarChart, Card, PageError, PageHeader, Skeleton, SmallTable, type Bar } from '../../ui/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { SitesCard } from './SitesCard.tsx';
import { AVERAGES, deviceColumns, words, type Extreme, type Parameter, type ReportContent, type VariableStat } from './report-words.ts';
import styles from './reports.module.css';

const POLL_MS = 2000;
const ROWS = 200;

/** A report: what it says of all devices together, by day, and of each. It is asked for again while it is being made. */
export default function ReportPage({ id }: { id: number }) {
  const t = useT();
  const { data, error, refetch } = useOne<ReportContent, ApiError>({
    resource: 'generated-reports',
    id,
    errorNotification: false,
    queryOptions: {
      refetchInterval: ({ state }) => (state.data && ['queued', 'running'].includes(state.data.data.state) ? POLL_MS : false),
    },
  }).query;
  const report = data?.data;
  if (error && !isCancelled(error))
    return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.generated_report')} />;
  if (!report) return <Skeleton height={260} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={report.name}
        subtitle={`${report.company_name} · ${report.start_date} – ${report.end_date}`}
        breadcrumb={[
          <Link key="all" to="/reports/generated">
            {t('resources.generated-reports.title')}
          </Link>,
        ]}
        actions={<PageActions resource="generated-reports" row={{ ...report }} onDone={() => void refetch()} />}
      />
      {report.state === 'queued' || report.state === 'running' ? <p role="status">{t('reports.making')}</p> : null}
      {report.state === 'cancelled' ? <p>{t('reports.cancelled')}</p> : null}
      {report.description ? <p>{report.description}</p> : null}
      <Summary report={report} />
      <Charts report={report} />
      <SitesCard report={report} />
      {report.variable_stats.length > 0 ? <Collected rows={report.variable_stats} /> : null}
      {report.parameters.includes('audit') ? <Audit report={report} /> : null}
      <Devices report={report} />
    </div>
  );
}

function Summary({ report: { all, devices_count: count, parameters } }: { report: ReportContent }) {
  const t = useT();
  const has = (name: Parameter): boolean => parameters.includes(name);
  const extremeOf = (extreme: Extreme | null, read: (value: number | null) => string) =>
    extreme ? (
      <Link to={`/devices/${extreme.router_id}`}>{t('reports.extreme', { value: read(extreme.value), device: extreme.name })}</Link>
    ) : (
      '–'
    );
  const rows = AVERAGES.filter(({ name }) => has(name));
  return (
    <Card title={t('reports.summary')}>
      <dl className={styles.facts}>
        <dt>{t('reports.devices')}</dt>
        <dd>{formatNumber(count)}</dd>
        {has('data_usage') ? (
          <>
            <dt>{t('reports.sent')}</dt>
            <dd>{formatBytes(all.mobile_data.sent)}</dd>
            <dt>{t('reports.received')}</dt>
            <dd>{formatBytes(all.mobile_data.received)}</dd>
          </>
        ) : null}
        {has('actions') ? (
          <>
            <dt>{t('reports.actions_done')}</dt>
            <dd>{formatNumber(all.actions.done)}</dd>
            <dt>{t('reports.actions_failed')}</dt>
            <dd>{formatNumber(all.actions.failed)}</dd>
          </>
        ) : null}
        {has('alerts') ? (
          <>
            <dt>{t('values.generated_report.parameters.alerts')}</dt>
            <dd>{formatNumber(all.alerts)}</dd>
          </>
        ) : null}
      </dl>
      {rows.length > 0 ? (
        <div className={styles.wide}>
          <SmallTable
            hasRowNames
            columns={[
              {
                key: 'name',
                title: t('fields.parameters'),
                render: ({ name }: (typeof rows)[number]) => t(`values.generated_report.parameters.${name}`),
              },
              { key: 'average', title: t('readings.average'), render: ({ name, words: read }) => read(all.average_values[name]) },
              {
                key: 'lowest',
                title: t('reports.lowest'),
                render: ({ name, words: read }) => (name === 'availability' ? '' : extremeOf(all[`min_${name}`], read)),
              },
              {
                key: 'highest',
                title: t('reports.highest'),
                render: ({ name, words: read }) => (name === 'availability' ? '' : extremeOf(all[`max_${name}`], read)),
              },
            ]}
            rows={rows}
            keyOf={({ name }) => name}
          />
        </div>
      ) : null}
    </Card>
  );
}

function Charts({ report }: { report: ReportContent }) {
  const t = useT();
  const days = useMemo(
    () => report.days.map(({ date, sent, received }): Bar => ({ label: date, value: sent + received, color: 'accent' })),
    [report.days],
  );
  const stats = [
    { name: 'operator', rows: report.operator_stats },
    { name: 'connection_type', rows: report.connection_type_stats },
    { name: 'firmware', rows: report.firmware_stats },
  ] as const;
  const shown = stats.filter(({ rows }) => rows.length > 0);
  if (days.length === 0 && shown.length === 0) return null;
  return (
    <div className={styles.charts}>
      {days.length > 0 ? (
        <Card title={t('reports.data_by_day')}>
          <BarChart label={t('reports.data_by_day')} fileName={`data-${report.start_date}`} bars={days} format={formatBytes} />
        </Card>
      ) : null}
      {shown.map(({ name, rows }) => {
        const title = t(`values.generated_report.parameters.${name}`);
        return (
          <Card key={name} title={title}>
            <BarChart
              label={title}
              fileName={`${name}-${report.start_date}`}
              bars={rows.map((row): Bar => ({ label: row.name, value: row.value, color: 'accent' }))}
              format={formatNumber}
            />
          </Card>
        );
      })}
    </div>
  );
}

function Collected({ rows }: { rows: readonly VariableStat[] }) {
  const t = useT();
  return (
    <Card title={t('reports.collected')}>
      <div className={styles.wide}>
        <SmallTable
          hasRowNames
          label={t('reports.collected')}
          columns={[
            { key: 'label', title: t('fields.variable'), render: ({ label }: VariableStat) => label },
            { key: 'average', title: t('readings.average'), render: ({ average }) => words.value(average) },
            { key: 'lowest', title: t('reports.lowest'), render: ({ lowest }) => words.value(lowest) },
            { key: 'highest', title: t('reports.highest'), render: ({ highest }) => words.value(highest) },
            { key: 'devices', title: t('reports.devices'), render: ({ devices_count: count }) => formatNumber(count) },
          ]}
          rows={rows}
          keyOf={({ metric }) => metric}
        />
      </div>
    </Card>
  );
}

function Audit({ report: { audit_stats: rows } }: { report: ReportContent }) {
  const t = useT();
  return (
    <Card title={t('values.generated_report.parameters.audit')}>
      {rows.length === 0 ? <p className={styles.quiet}>{t('reports.none')}</p> : null}
      {rows.length > 0 ? (
        <div className={styles.wide}>
          <SmallTable
            hasRowNames
            label={t('values.generated_report.parameters.audit')}
            columns={[
              {
                key: 'action',
                title: t('reports.change'),
                render: ({ action }: (typeof rows)[number]) =>
                  hasText(`history.actions.${action}`) ? t(`history.actions.${action}`) : action,
              },
              { key: 'count', title: t('reports.times'), render: ({ count }) => formatNumber(count) },
              { key: 'people', title: t('reports.people'), render: ({ people }) => formatNumber(people) },
            ]}
            rows={rows}
            keyOf={({ action }) => action}
          />
        </div>
      ) : null}
    </Card>
  );
}

function Devices({ report: { devices, devices_count: count, parameters, variable_stats: variables } }: { report: ReportContent }) {
  const t = useT();
  const rows = devices.slice(0, ROWS);
  return (
    <Card title={t('reports.devices')}>
      {rows.length === 0 ? <p className={styles.quiet}>{t('reports.none')}</p> : null}
      {rows.length > 0 ? (
        <div className={styles.wide}>
          <SmallTable
            hasRowNames
            label={t('reports.devices')}
            columns={[
              {
                key: 'name',
                title: t('reports.device'),
                render: (row: (typeof rows)[number]) => <Link to={`/devices/${row.device_id}`}>{row.name}</Link>,
              },
              { key: 'serial', title: t('fields.serial'), render: ({ serial }) => serial },
              ...deviceColumns(parameters, variables).map(({ key, title, read }) => ({ key, title, render: read })),
            ]}
            rows={rows}
            keyOf={(row) => row.device_id}
          />
        </div>
      ) : null}
      {count > rows.length ? <p className={styles.quiet}>{t('reports.most', { count: words.number(ROWS) })}</p> : null}
    </Card>
  );
}
