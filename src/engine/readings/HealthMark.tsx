import { healthLevel, type HealthLevel } from '../../../schemas/kit/devices/health.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { StatusMark, type StatusKind } from '../../ui/index.ts';

/** How each group of health scores is marked. */
export const HEALTH_KINDS = { good: 'good', fair: 'warn', poor: 'bad', unknown: 'idle' } as const satisfies Record<HealthLevel, StatusKind>;

/** A health score with its word; "no data" where there is none. */
export function HealthMark({ score }: { score: number | null }) {
  const t = useT();
  const level = healthLevel(score);
  return (
    <StatusMark kind={HEALTH_KINDS[level]}>
      {score === null ? t('lists.health.none') : t(`lists.health.${level}`, { score: formatNumber(score) })}
    </StatusMark>
  );
}
