import { useT } from '../../kernel/i18n/index.ts';
import { Tag } from '../../ui/index.ts';
import type { FormQuality, QualityLevel } from '../../../schemas/kit/lint/form-quality.ts';
import styles from './studio.module.css';

const COLORS: Record<QualityLevel, string | null> = { bronze: '#a8612a', silver: null, gold: '#c79a00', platinum: '#2f8f9d' };

/** How good a form is, and what it needs to be better (docs/checks.md G9). */
export function QualityBadge({ quality: { level, next, missing } }: { quality: FormQuality }) {
  const t = useT();
  const checks = missing.map((check) => t(`studio.quality.checks.${check}`)).join(' · ');
  return (
    <>
      <Tag color={COLORS[level]}>{t(`studio.quality.${level}`)}</Tag>
      {next === null ? null : (
        <div className={styles.quiet}>{t('studio.quality.next', { level: t(`studio.quality.${next}`), checks })}</div>
      )}
    </>
  );
}
