import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import type { Automation } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/index.ts';
import { JsonView } from '../../engine/json/JsonView.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, ErrorState, RelativeTime, Skeleton } from '../../ui/index.ts';
import { exportOf } from './exchange.ts';
import { lineDiff } from './line-diff.ts';
import { RulePicture } from './RulePicture.tsx';
import type { RuleBranch } from './rule-words.ts';
import styles from './automations.module.css';

type Version = Pick<
  Automation,
  | 'delay_duration'
  | 'delay_repetitions_count'
  | 'cooldown_duration'
  | 'recovery_duration'
  | 'period'
  | 'period_trigger_limit'
  | 'conditions_body'
> & { version: number; is_current: boolean; user_name: string; created_at: string };

/** The rules that an automation has had, each in words; a former one is compared with the current one and restored. */
export function VersionsTab({ id, onRestored }: { id: number; onRestored: () => void }) {
  const t = useT();
  const canRestore = useCan()('update_automations');
  const [compared, setCompared] = useState<number>();
  const { query } = useCustom<Version[], ApiError>({ url: `/automations/${id}/versions`, method: 'get', errorNotification: false });
  const versions = query.data?.data;
  const current = versions?.find(({ is_current: isCurrent }) => isCurrent);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!versions) return <Skeleton height={200} />;

  async function restore(version: number): Promise<void> {
    const intro = t('automations.versions.intro', { version });
    if (!(await openForm('automations/restore', { record: { id }, initial: { version }, intro }))) return;
    onRestored();
    await query.refetch();
  }

  return (
    <div className={styles.page}>
      {versions.map((one) => (
        <Card
          key={one.version}
          title={`${t('automations.versions.number', { version: one.version })}${one.is_current ? ` (${t('automations.versions.current')})` : ''}`}
          extra={
            one.is_current ? null : (
              <span className={styles.buttons}>
                <Button size="small" onClick={() => setCompared(compared === one.version ? undefined : one.version)}>
                  {t(compared === one.version ? 'automations.versions.hide' : 'automations.versions.compare')}
                </Button>
                {canRestore ? (
                  <Button size="small" icon="undo-2" onClick={() => void restore(one.version)}>
                    {t('automations.versions.restore')}
                  </Button>
                ) : null}
              </span>
            )
          }
        >
          <p className={styles.quiet}>
            {one.user_name} · <RelativeTime time={one.created_at} saysAgo />
          </p>
          {compared === one.version && current ? (
            <Diff label={t('automations.versions.diff', { version: one.version })} before={one} after={current} />
          ) : (
            <RulePicture branches={one.conditions_body as unknown as RuleBranch[]} />
          )}
        </Card>
      ))}
    </div>
  );
}

const textOf = (version: Partial<Automation>): string => JSON.stringify(exportOf(version), null, 2);

function Diff({ label, before, after }: { label: string; before: Version; after: Version }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll, also by keyboard.
    <pre tabIndex={0} role="region" aria-label={label} className={styles.code}>
      {lineDiff(textOf(before), textOf(after)).map(({ kind, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Lines have no name of their own, and the list never changes.
        <span key={index} className={styles.line} data-kind={kind}>
          {{ same: '  ', removed: '- ', added: '+ ' }[kind]}
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

/** An automation as the file that it is exported as. */
export function JsonTab({ automation }: { automation: Automation }) {
  const t = useT();
  return (
    <Card title={t('automations.json')}>
      <JsonView value={exportOf(automation)} label={t('automations.json')} fileName={automation.name} />
    </Card>
  );
}
