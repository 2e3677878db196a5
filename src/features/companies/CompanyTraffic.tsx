import { useState } from 'react';
import { forecastOfMonth } from '../../../schemas/kit/devices/usage-forecast.ts';
import { UsageForecast } from '../../engine/readings/UsageForecast.tsx';
import { formatBytes } from '../../engine/table/format.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { DaysCard } from './DaysCard.tsx';

interface Day {
  day: string;
  sent: number;
  received: number;
}

const sumOf = (days: readonly Day[], of: 'sent' | 'received'): number => days.reduce((sum, row) => sum + row[of], 0);

/** The data of the month, by the days so far. */
function TrafficForecast({ days }: { days: readonly Day[] }) {
  const [openedAt] = useState(() => Date.now());
  const bytes = days.map(({ day, sent, received }) => ({ date: day, bytes: sent + received }));
  return <UsageForecast bytes={forecastOfMonth(bytes, openedAt)} />;
}

/** Data that the devices of a company and all below it used, day by day and together. */
export function CompanyTraffic({ id }: { id: number }) {
  const t = useT();
  return (
    <DaysCard<Day>
      title={t('companies.traffic.title')}
      path={`/companies/${id}/traffic`}
      none={t('companies.traffic.none')}
      total={(days) => ({
        day: t('companies.traffic.total', { count: days.length }),
        sent: sumOf(days, 'sent'),
        received: sumOf(days, 'received'),
      })}
      Note={TrafficForecast}
      columns={[
        { title: t('companies.traffic.sent'), value: (row) => row.sent, format: formatBytes },
        { title: t('companies.traffic.received'), value: (row) => row.received, format: formatBytes },
        { title: t('companies.traffic.both'), value: (row) => row.sent + row.received, format: formatBytes },
      ]}
    />
  );
}
