import { useState } from 'react';
import { Link } from 'react-router';
import type { AutomationLog } from '../../../schemas/_generated/contract.ts';
import { api, isCancelled } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, ExactTime, SmallTable } from '../../ui/index.ts';
import { ConditionList } from './cells.tsx';
import styles from './automations.module.css';

interface Firing {
  device_id: number;
  device_name: string;
  branch: string;
  at: string;
  evaluated: (Omit<AutomationLog['evaluated_conditions'][number], 'actual'> & { actual: number | string | null })[];
}

interface Result {
  from: string;
  devices: number;
  without_history: number;
  count: number;
  firings: Firing[];
}

/** How often the rule would have acted in the last 30 days, by what is kept of its devices. */
export function BackTest({ id }: { id: number }) {
  const t = useT();
  const [result, setResult] = useState<Result>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api.post<Result>('/automations/back-test', { automation_id: id });
      setResult(data);
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Card
      title={t('automations.test.title')}
      extra={
        <Button size="small" isBusy={isBusy} onClick={() => void run()}>
          {t('automations.test.run')}
        </Button>
      }
    >
      {failure === undefined ? null : <ErrorState error={failure} onRetry={() => void run()} />}
      {result ? <Outcome result={result} /> : <p className={styles.quiet}>{t('automations.test.about')}</p>}
    </Card>
  );
}

function Outcome({ result }: { result: Result }) {
  const t = useT();
  const { count, devices, without_history: without, firings } = result;
  return (
    <div className={styles.page}>
      <p role="status">
        {t('automations.test.outcome', { count, devices: formatNumber(devices) })}{' '}
        {without > 0 ? <span className={styles.quiet}>{t('automations.test.without', { count: without })}</span> : null}
      </p>
      {firings.length > 0 ? (
        <SmallTable
          label={t('automations.test.title')}
          className={styles.table}
          rows={firings}
          keyOf={({ device_id, at, branch }) => `${device_id} ${at} ${branch}`}
          columns={[
            { key: 'at', title: t('automations.test.at'), render: ({ at }: Firing) => <ExactTime time={at} /> },
            {
              key: 'device',
              title: t('fields.device_name'),
              render: ({ device_id, device_name }: Firing) => <Link to={`/devices/${device_id}`}>{device_name}</Link>,
            },
            {
              key: 'why',
              title: t('fields.evaluated_conditions'),
              render: ({ evaluated }: Firing) => (
                <ConditionList conditions={evaluated.map((one) => ({ ...one, actual: one.actual === null ? null : String(one.actual) }))} />
              ),
            },
          ]}
        />
      ) : null}
    </div>
  );
}
