import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { formatBytes } from '../../engine/table/format.ts';
import { api } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { drawSeries, HEIGHT, WIDTH, type Series } from './draw-series.ts';
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

const timeOf = (wire: string): string => formatTime(parseWire(wire) ?? 0, 'YYYY-MM-DD HH:mm');

/** What some devices read over time: lowest to highest as a band, the average as a line, and the same as a table. `path` is the route that tells. */
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
  const { data, error, refetch } = useQuery({
    queryKey: ['readings', path, parameter, days],
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
      return (await api.get<Series>(path, { query: { parameter, start_date: start }, signal })).data;
    },
  });
  return (
    <Card
      title={t('readings.title')}
      extra={
        <span className={styles.choices}>
          <label htmlFor={`${id}-parameter`} className="visually-hidden">
            {t('readings.parameter')}
          </label>
          <NativeSelect id={`${id}-parameter`} value={parameter} onChange={({ target }) => choose('parameter', target.value)}>
            {PARAMETERS.map((name) => (
              <option key={name} value={name}>
                {t(`readings.parameter.${name}`)}
              </option>
            ))}
          </NativeSelect>
          <label htmlFor={`${id}-days`} className="visually-hidden">
            {t('readings.period')}
          </label>
          <NativeSelect id={`${id}-days`} value={days} onChange={({ target }) => choose('days', target.value)}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {t('readings.days', { count: Number(count) })}
              </option>
            ))}
          </NativeSelect>
        </span>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={180} /> : null}
      {data && data.points.length === 0 ? <p className={styles.none}>{t('readings.none')}</p> : null}
      {data && data.points.length > 0 ? <Drawing series={data} format={(value) => words(t, parameter, value)} /> : null}
    </Card>
  );
}

function Drawing({ series, format }: { series: Series; format(value: number): string }) {
  const t = useT();
  const { bands, lines, dots, top, bottom } = drawSeries(series);
  return (
    <>
      <div className={styles.plot}>
        <span className={styles.axis}>
          <span>{format(top)}</span>
          <span>{format(bottom)}</span>
        </span>
        <svg className={styles.drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bands.map((points) => (
            <polygon key={points} className={styles.band} points={points} />
          ))}
          {lines.map((points) => (
            <polyline key={points} className={styles.line} points={points} />
          ))}
          {dots.map(({ x, y }) => (
            <line key={x} className={styles.line} x1={x - 2} x2={x + 2} y1={y} y2={y} />
          ))}
        </svg>
      </div>
      <p className={styles.times}>
        <span>{timeOf(series.start_date)}</span>
        <span>{timeOf(series.end_date)}</span>
      </p>
      <details className={styles.table}>
        <summary>{t('readings.table')}</summary>
        <table>
          <thead>
            <tr>
              {['time', 'minimum', 'average', 'maximum', 'devices'].map((name) => (
                <th key={name} scope="col">
                  {t(`readings.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.points.map((point) => (
              <tr key={point.created_at}>
                <th scope="row">{timeOf(point.created_at)}</th>
                <td>{format(point.minimum)}</td>
                <td>{format(point.average)}</td>
                <td>{format(point.maximum)}</td>
                <td>{formatNumber(point.devices_count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
