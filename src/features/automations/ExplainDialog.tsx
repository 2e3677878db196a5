import { useCustom } from '@refinedev/core';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Button, ErrorState, Skeleton } from '../../ui/index.ts';
import { ConditionList } from './cells.tsx';
import styles from './automations.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'automations.explain': { props: { automationId: number; deviceId: number; name: string }; result: undefined };
  }
}

interface Explanation {
  enabled: boolean;
  conditions: {
    key: string;
    parameter: string;
    operator: string;
    expected: string;
    actual: number | string | null;
    value: boolean | null;
  }[];
  branches: { branch: string; since: string | null; acted: boolean }[];
  due_at: string | null;
  last_triggered_at: string | null;
  quiet_until: string | null;
  period_triggered_count: number;
  period_trigger_limit: number | null;
}

/** Why an automation has or has not acted on a device: its conditions with the values of now, and what it waits for. */
const ExplainDialog: DialogComponent<'automations.explain'> = ({ automationId, deviceId, name, dialog }) => {
  const t = useT();
  const { query } = useCustom<Explanation, ApiError>({
    url: `/automations/${automationId}/explain/${deviceId}`,
    method: 'get',
    errorNotification: false,
  });
  const known = query.data?.data;
  return (
    <DialogWindow
      dialog={dialog}
      title={t('automations.explain.title')}
      subtitle={name}
      footer={<Button onClick={dialog.requestClose}>{t('dialogs.close')}</Button>}
    >
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {!known && !query.error ? <Skeleton height={120} /> : null}
      {known ? <Words known={known} /> : null}
    </DialogWindow>
  );
};
export default ExplainDialog;

const shown = (time: string | null): string => {
  const at = parseWire(time);
  return at === undefined ? '–' : formatTime(at);
};

function verdictOf({ enabled, branches, due_at, quiet_until }: Explanation): string {
  if (!enabled) return 'off';
  if (branches.some(({ acted }) => acted)) return 'acted';
  if (branches.length === 0) return 'no_match';
  if (quiet_until !== null) return 'quiet';
  return due_at === null ? 'reports' : 'waits';
}

function Words({ known }: { known: Explanation }) {
  const t = useT();
  return (
    <div className={styles.page}>
      <p>{t(`automations.explain.${verdictOf(known)}`, { time: shown(known.quiet_until ?? known.due_at) })}</p>
      <ConditionList conditions={known.conditions.map((one) => ({ ...one, actual: one.actual === null ? null : String(one.actual) }))} />
      <dl className={styles.facts}>
        <dt>{t('fields.last_triggered_at')}</dt>
        <dd>{shown(known.last_triggered_at)}</dd>
        <dt>{t('automations.explain.period')}</dt>
        <dd>
          {known.period_triggered_count}
          {known.period_trigger_limit === null ? '' : ` / ${known.period_trigger_limit}`}
        </dd>
      </dl>
    </div>
  );
}
