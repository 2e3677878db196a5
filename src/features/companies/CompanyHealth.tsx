import { useCustom } from '@refinedev/core';
import { Link } from 'react-router';
import { HEALTH_LEVELS, type HealthLevel, type HealthPart } from '../../../schemas/kit/devices/health.ts';
import { HEALTH_KINDS, HealthMark } from '../../engine/readings/HealthMark.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Card, cx, SmallTable, StatusMark } from '../../ui/index.ts';
import styles from './companies.module.css';

interface CompanyHealthAnswer {
  score: number | null;
  devices_count: number;
  levels: Record<HealthLevel, number>;
  parts: { part: HealthPart; weight: number; score: number | null; devices_count: number }[];
  worst: { id: number; name: string; score: number }[];
}

/** The health of the devices of a company: the average, its parts, how many are in each group, and the worst ones. */
export function CompanyHealth({ id }: { id: number }) {
  const t = useT();
  const { query } = useCustom<CompanyHealthAnswer, ApiError>({ url: `/companies/${id}/health`, method: 'get', errorNotification: false });
  const health = query.data?.data;
  if (!health) return null;
  const count = (level: HealthLevel) => (
    <Link to={`/management/devices?company_id=${id}&health=${level}`}>{formatNumber(health.levels[level])}</Link>
  );
  return (
    <>
      <Card title={t('companies.health.title')} extra={<HealthMark score={health.score} />}>
        <SmallTable
          className={styles.numbers}
          hasRowNames
          label={t('companies.health.parts')}
          rows={health.parts}
          keyOf={({ part }) => part}
          columns={[
            { key: 'part', title: t('companies.health.part'), render: ({ part }) => t(`lists.health.part_${part}`) },
            { key: 'score', title: t('companies.health.average'), render: ({ score }) => (score === null ? '—' : <Score score={score} />) },
            { key: 'devices', title: t('resources.devices.title'), render: ({ devices_count: devices }) => formatNumber(devices) },
          ]}
        />
      </Card>
      <Card title={t('companies.health.devices')}>
        <SmallTable
          className={styles.numbers}
          hasRowNames
          hidesHead
          label={t('companies.health.devices')}
          rows={HEALTH_LEVELS}
          keyOf={(level) => level}
          columns={[
            {
              key: 'level',
              title: '',
              render: (level) => <StatusMark kind={HEALTH_KINDS[level]}>{t(`values.device.health.${level}`)}</StatusMark>,
            },
            { key: 'count', title: '', render: count },
          ]}
        />
        {health.worst.length > 0 ? (
          <SmallTable
            className={cx(styles.numbers, styles.apart)}
            hasRowNames
            label={t('companies.health.worst')}
            rows={health.worst}
            keyOf={({ id: device }) => String(device)}
            columns={[
              {
                key: 'name',
                title: t('companies.health.worst'),
                render: ({ id: device, name }) => <Link to={`/devices/${device}`}>{name}</Link>,
              },
              { key: 'score', title: t('companies.health.score'), render: ({ score }) => <Score score={score} /> },
            ]}
          />
        ) : null}
      </Card>
    </>
  );
}

/** A score of 0 to 100 as a bar and a number. */
function Score({ score }: { score: number }) {
  return (
    <span className={styles.score}>
      <span aria-hidden="true" className={styles.scoreTrack}>
        <span style={{ width: `${score}%` }} />
      </span>
      {formatNumber(score)}
    </span>
  );
}
