import { useCustom } from '@refinedev/core';
import { dailyCostOf, type MonitoringEntry } from '../../../schemas/kit/devices/monitoring-parts.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Button, ErrorState, Skeleton } from '../../ui/index.ts';
import { TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import styles from './details.module.css';

const DAYS_OF_MONTH = 30;

/** What a device reports, how often, and what that costs. */
export function DeviceReporting({ device }: DetailsPartProps) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<MonitoringEntry[], ApiError>({
    url: `/devices/${device.id}/monitoring-configs`,
    method: 'get',
    // Read again when the device itself was changed.
    meta: { changed: device.updated_at },
    errorNotification: false,
  });
  const entries = query.data?.data;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!entries) return <Skeleton height={200} />;
  async function change(): Promise<void> {
    const form = 'devices/monitoring-periods';
    const selection = { device_id: [device.id] };
    const onCompleted = (): void => void query.refetch();
    await openDialog('job.start', { kind: 'monitoring_periods', form, risk: 'low', selection, count: 1, name: device.name, onCompleted });
  }
  const isReported = ({ compatNotice, compatKey }: MonitoringEntry): boolean => compatNotice === null || compatKey === 'has_periods';
  const nameOf = ({ key, label, config_id }: MonitoringEntry): string => (config_id === null ? t(`devices.reporting.${key}`) : label);
  const day = entries.filter(isReported).reduce((sum, entry) => sum + dailyCostOf(entry), 0);
  return (
    <div className={styles.column}>
      <TableCard
        title={t('devices.reporting.title')}
        rows={entries}
        none=""
        keyOf={({ key }) => key}
        extra={
          can('update_monitoring') ? (
            <Button size="small" icon="clock" onClick={() => void change()}>
              {t('devices.services.change')}
            </Button>
          ) : undefined
        }
        columns={[
          {
            key: 'what',
            title: t('devices.reporting.what'),
            render: (entry) => (
              <>
                {nameOf(entry)}
                {entry.compatNotice === null ? null : <div className={styles.muted}>{t(`devices.reporting.${entry.compatKey ?? ''}`)}</div>}
              </>
            ),
          },
          {
            key: 'period',
            title: t('devices.reporting.every'),
            render: (entry) => (isReported(entry) ? formatDuration(entry.period * SECOND) : '—'),
          },
          {
            key: 'each',
            title: t('devices.reporting.each'),
            render: (entry) => (isReported(entry) ? formatBytes(entry.up + entry.down) : '—'),
          },
          {
            key: 'day',
            title: t('devices.reporting.day'),
            render: (entry) => (isReported(entry) ? formatBytes(dailyCostOf(entry)) : '—'),
          },
        ]}
      />
      <p className={styles.muted}>{t('devices.reporting.sum', { day: formatBytes(day), month: formatBytes(day * DAYS_OF_MONTH) })}</p>
    </div>
  );
}
