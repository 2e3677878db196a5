import { useT } from '../../kernel/i18n/index.ts';
import { cx, Icon, PressArea, StatusMark } from '../../ui/index.ts';
import type { Finding } from './studio-api.ts';
import styles from './studio.module.css';

interface FindingsListProps {
  /** `undefined` while nobody knows yet. */
  findings: readonly Finding[] | undefined;
  warnings: readonly Finding[];
  onJump(finding: Finding): void;
}

/** What is wrong in a text, and what is not right on this installation; each line leads to its place. */
export function FindingsList({ findings, warnings, onJump }: FindingsListProps) {
  const t = useT();
  const lines = [...(findings ?? []), ...warnings];
  return (
    <section aria-label={t('studio.findings')} className={styles.findings}>
      <p role="status">
        {findings === undefined ? (
          <StatusMark kind="idle">{t('studio.findings.checking')}</StatusMark>
        ) : findings.length === 0 ? (
          <StatusMark kind="good">{t('studio.findings.none')}</StatusMark>
        ) : (
          <StatusMark kind="bad">{t('studio.findings.count', { count: findings.length })}</StatusMark>
        )}
        {warnings.length > 0 ? <StatusMark kind="warn">{t('studio.warnings.count', { count: warnings.length })}</StatusMark> : null}
      </p>
      {lines.length > 0 ? (
        <ul>
          {lines.map((finding) => (
            <li key={`${finding.line}:${finding.column} ${finding.code} ${finding.message}`}>
              <PressArea className={cx(styles.finding, warnings.includes(finding) && styles.warning)} onClick={() => onJump(finding)}>
                <Icon name="circle-alert" size={14} />
                <code>{`${finding.line}:${finding.column}`}</code>
                <span>{finding.message}</span>
              </PressArea>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
