import { useCustom } from '@refinedev/core';
import type { DeviceCredit } from '../../../schemas/_generated/contract.ts';
import type { FormPreviewProps } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import styles from './credits.module.css';

/** Of more devices the list might not tell all on one page, so that they are not asked for. */
const MOST_DEVICES = 50;
const NONE: readonly number[] = [];

/** Which resource the chosen device has now, and until when; of several devices, how many have one. */
export default function PresentResources({ devices = NONE }: FormPreviewProps) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<DeviceCredit[], ApiError>({
    url: '/credits/devices',
    method: 'get',
    config: { query: { device_id: devices.join(','), state: 'running,reserved', limit: 2 * MOST_DEVICES } },
    queryOptions: { enabled: can('view_credits') && devices.length > 0 && devices.length <= MOST_DEVICES },
    errorNotification: false,
  });
  const rows = query.data?.data;
  if (!rows) return null;
  const withOne = new Set(rows.map((row) => row.device_id)).size;
  const words = () => {
    const row = rows.find(({ state }) => state === 'running') ?? rows[0];
    if (devices.length > 1) return t('credits.present.of', { count: withOne, all: devices.length });
    if (!row) return t('credits.present.none');
    const isPaymentSaid = row.credit_type === 'free' || can('super_admin');
    const type = t(`credit_types.${isPaymentSaid ? `${String(row.credit_type)}_` : ''}${row.credit_type_name}`);
    if (row.state === 'reserved') return t('credits.present.reserved', { type });
    const end = parseWire(row.expire_at);
    if (end === undefined) return t('credits.present.running', { type });
    const time = formatTime(end, 'YYYY-MM-DD HH:mm');
    return t(row.auto_extend_credit ? 'credits.present.renewed' : 'credits.present.until', { type, time });
  };
  return <p className={styles.balance}>{words()}</p>;
}
