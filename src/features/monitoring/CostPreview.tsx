import { useOne } from '@refinedev/core';
import type { MonitoringTemplate } from '../../../schemas/_generated/contract.ts';
import { dailyBytes } from '../../../schemas/kit/devices/collected.ts';
import type { FormPreviewProps } from '../../engine/form/FormPreview.tsx';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import styles from './monitoring.module.css';

const DAYS_OF_MONTH = 30;
const LEAST_SECONDS = 60;

/** What a template costs while it is being edited: each device by day and by month, on the SIM in use, and all its devices together. */
export default function CostPreview({ id, data }: FormPreviewProps) {
  const t = useT();
  const { query } = useOne<MonitoringTemplate, ApiError>({
    resource: 'monitoring-templates',
    id: Number(id ?? 0),
    queryOptions: { enabled: id !== undefined },
    errorNotification: false,
  });
  const period = Number(data['period']);
  const sources = Array.isArray(data['data']) ? data['data'] : [];
  if (!(period >= LEAST_SECONDS) || sources.length === 0) return null;
  const { device_count: devices = 0, answer_bytes: lastBytes = null } = query.data?.data ?? {};
  // What another list of sources prints is not known yet.
  const isMeasured = lastBytes !== null && query.data?.data.data.length === sources.length;
  const day = data['enabled'] === false ? 0 : dailyBytes({ sources, period, lastBytes: isMeasured ? lastBytes : null });
  return (
    <div className={styles.preview} role="status">
      <strong>{t('monitoring.cost.device', { day: formatBytes(day), month: formatBytes(day * DAYS_OF_MONTH) })}</strong>
      {devices > 0 ? <p>{t('monitoring.cost.all', { count: devices, day: formatBytes(day * devices) })}</p> : null}
      <p>{t(isMeasured ? 'monitoring.cost.measured' : 'monitoring.cost.guessed')}</p>
    </div>
  );
}
