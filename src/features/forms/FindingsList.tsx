import { useT } from '../../kernel/i18n/index.ts';
import { Icon } from '../../ui/Icon.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
import type { Finding } from './studio-api.ts';
import styles from './studio.module.css';

/** What is wrong in a text; each line leads to its place. `undefined` while nobody knows yet. */
export function FindingsList({ findings, onJump }: { findings: readonly Finding[] | undefined; onJump(finding: Finding): void }) {
  const t = useT();
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
      </p>
      {findings && findings.length > 0 ? (
        <ul>
          {findings.map((finding) => (
            <li key={`${finding.line}:${finding.column} ${finding.code} ${finding.message}`}>
              <button type="button" className={styles.finding} onClick={() => onJump(finding)}>
                <Icon name="circle-alert" size={14} />
                <code>{`${finding.line}:${finding.column}`}</code>
                <span>{finding.message}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
