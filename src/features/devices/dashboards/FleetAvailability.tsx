import { Link } from 'react-router';
import { formatNumber, useT } from '../../../kernel/i18n/index.ts';
import { SmallTable, StatusMark } from '../../../ui/index.ts';
import { useWidgetData, type WidgetProps } from './dashboard-data.ts';
import { DEFAULT_TARGET } from './state-widgets.tsx';
import { Big, FEW_ROWS, Loaded, Nothing, percent } from './widget-parts.tsx';
import styles from './dashboards.module.css';

interface Answer {
  devices: number;
  met: number;
  average: number | null;
  worst: { id: number; name: string; online_percent: number }[];
}

/** How many devices of a fleet were online as long as was promised, and which were not. */
export function FleetAvailability({ widget: { target = DEFAULT_TARGET, count = FEW_ROWS }, around }: WidgetProps) {
  const t = useT();
  const given = { ...around.filters, days: String(around.days), target: String(target), count: String(count) };
  return (
    <Loaded query={useWidgetData<Answer>('/devices/availability', given, around)}>
      {({ devices, met, average, worst }) => {
        if (devices === 0) return <Nothing />;
        return (
          <>
            <Big>{percent(t, (met / devices) * 100)}</Big>
            <StatusMark kind={met === devices ? 'good' : 'bad'}>
              {t('dashboards.availability.fleet', { met: formatNumber(met), count: devices, target: formatNumber(target) })}
            </StatusMark>
            <p className={styles.muted}>{t('dashboards.availability.average', { value: percent(t, average) })}</p>
            {worst.length === 0 ? null : (
              <SmallTable
                className={styles.table}
                hasRowNames
                rows={worst}
                keyOf={({ id }) => id}
                columns={[
                  { key: 'name', title: t('fields.name'), render: ({ id, name }) => <Link to={`/devices/${id}`}>{name}</Link> },
                  { key: 'online', title: t('dashboards.type.availability'), render: ({ online_percent: value }) => percent(t, value) },
                ]}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
