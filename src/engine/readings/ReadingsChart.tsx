import { useCustom } from '@refinedev/core';
import { useId, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, toWire } from '../../kernel/time/index.ts';
import { Card, ErrorState, Select, Skeleton, TimeChart, type TimeSeries } from '../../ui/index.ts';
import { drawSeries, type Series } from './draw-series.ts';
import styles from './readings.module.css';

const PARAMETERS = ['temperature', 'signal', 'sent', 'received', 'analog_input', 'satellites', 'speed'] as const;
type Parameter = (typeof PARAMETERS)[number];
const DAYS = ['1', '7', '30'];
const DAY_MS = 86_400_000;

function words(t: Translate, parameter: Parameter, value: number): string {
  if (parameter === 'temperature') return t('devices.celsius', { value: formatNumber(value / 10) });
  if (parameter === 'signal') return t('devices.dbm', { value: formatNumber(Math.round(value)) });
  if (parameter === 'sent' || parameter === 'received') return formatBytes(value);
  return formatNumber(value);
}

const timeOf = (time: number): string => formatTime(time, 'YYYY-MM-DD HH:mm');

/** What some devices read over time: lowest to highest as a band, the average as a line. `path` is the route to read them from. */
export function ReadingsChart({ path }: { path: `/${string}/series` }) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const parameter = PARAMETERS.find((name) => name === search.get('parameter')) ?? 'temperature';
  const days = DAYS.find((count) => count === search.get('days')) ?? '1';
  const choose = (key: string, value: string) =>
    setSearch(
      (former) => {
        former.set(key, value);
        return former;
      },
      { replace: true },
    );
  // Of the moment that the chart was opened: with the time of each render every render would be a new query.
  const [openedAt] = useState(() => Date.now());
  const start = toWire(openedAt - Number(days) * DAY_MS);
  const { query } = useCustom<Series, ApiError>({
    url: path,
    method: 'get',
    config: { query: { parameter, start_date: start } },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  return (
    <Card
      title={t('readings.title')}
      extra={
        <span className={styles.choices}>
          <label htmlFor={`${id}-parameter`} className="visually-hidden">
            {t('readings.parameter')}
          </label>
          <Select
            id={`${id}-parameter`}
            value={parameter}
            choices={PARAMETERS.map((name) => ({ value: name, label: t(`readings.parameter.${name}`) }))}
            onChange={(name) => choose('parameter', name)}
          />
          <label htmlFor={`${id}-days`} className="visually-hidden">
            {t('readings.period')}
          </label>
          <Select
            id={`${id}-days`}
            value={days}
            choices={DAYS.map((count) => ({ value: count, label: t('readings.days', { count: Number(count) }) }))}
            onChange={(count) => choose('days', count)}
          />
        </span>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={260} /> : null}
      {data && data.points.length === 0 ? <p className={styles.none}>{t('readings.none')}</p> : null}
      {data && data.points.length > 0 ? (
        <Drawing series={data} name={t(`readings.parameter.${parameter}`)} format={(value) => words(t, parameter, value)} />
      ) : null}
    </Card>
  );
}

function Drawing({ series, name, format }: { series: Series; name: string; format(value: number): string }) {
  const t = useT();
  const { times, ...values } = useMemo(() => drawSeries(series), [series]);
  const lines = useMemo(
    (): TimeSeries[] => [
      { label: t('readings.maximum'), values: values.maximum, color: 'idle', kind: 'high' },
      { label: t('readings.average'), values: values.average, color: 'accent', kind: 'line' },
      { label: t('readings.minimum'), values: values.minimum, color: 'idle', kind: 'low' },
    ],
    [t, values.maximum, values.average, values.minimum],
  );
  return <TimeChart label={name} fileName={name} times={times} series={lines} format={format} formatTime={timeOf} />;
}
