import { useCustom } from '@refinedev/core';
import type { HealthPart } from '../../../schemas/kit/devices/health.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { HealthMark } from '../../engine/readings/HealthMark.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { Card, SmallTable } from '../../ui/index.ts';
import details from './details.module.css';
import styles from './devices.module.css';

interface Part {
  part: HealthPart;
  weight: number;
  score: number | null;
  value: number | string | null;
}

function measured(t: Translate, { part, value }: Part): string {
  if (value === null) return t('lists.health.none');
  if (part === 'firmware') return t(`values.device.firmware_state.${value}`);
  const number = formatNumber(Number(value));
  if (part === 'signal') return t('devices.dbm', { value: number });
  if (part === 'temperature') return t('devices.celsius', { value: number });
  return t('devices.health.percent', { value: number });
}

/** The health of a device as it is now, with the parts that it follows from. */
export function HealthCard({ device }: { device: Device }) {
  const t = useT();
  const { query } = useCustom<{ score: number | null; parts: Part[] }, ApiError>({
    url: `/devices/${device.id}/health`,
    method: 'get',
    errorNotification: false,
  });
  const health = query.data?.data;
  if (!health) return null;
  return (
    <Card title={t('devices.health.title')} extra={<HealthMark score={health.score} />}>
      <SmallTable
        className={details.table}
        hasRowNames
        label={t('devices.health.title')}
        rows={health.parts}
        keyOf={({ part }) => part}
        columns={[
          { key: 'part', title: t('devices.health.part'), render: ({ part }: Part) => t(`lists.health.part_${part}`) },
          { key: 'value', title: t('devices.health.value'), render: (row: Part) => measured(t, row) },
          {
            key: 'score',
            title: t('devices.health.score'),
            render: ({ score }: Part) => (score === null ? <span className={styles.muted}>—</span> : formatNumber(score)),
          },
          { key: 'weight', title: t('devices.health.weight'), render: ({ weight }: Part) => formatNumber(weight) },
        ]}
      />
      <p className={styles.muted}>{t('devices.health.note')}</p>
    </Card>
  );
}
