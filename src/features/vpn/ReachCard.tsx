import { useList } from '@refinedev/core';
import { useId, useMemo, useState, type FormEvent } from 'react';
import type { VpnClient } from '../../../schemas/_generated/contract.ts';
import { LookupSelect } from '../../engine/form/LookupSelect.tsx';
import { api, ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, StatusMark, TextInput } from '../../ui/index.ts';
import styles from './vpn.module.css';

interface Reach {
  reaches: boolean;
  reason: string;
  from_name: string;
  to_client_name: string | null;
}

/** What was asked is no question that can be answered, such as an address that is none. */
const REFUSED = 400;

/** Asks which rule decides whether a client reaches an address. */
export function ReachCard({ hubId }: { hubId: number }) {
  const t = useT();
  const id = useId();
  const params = useMemo(() => ({ vpn_hub_id: String(hubId) }), [hubId]);
  const { result: found } = useList<VpnClient, ApiError>({
    resource: 'vpn-clients',
    filters: [{ field: 'vpn_hub_id', operator: 'eq', value: String(hubId) }],
    pagination: { pageSize: 1 },
  });
  const [first] = found.data;
  const [chosen, setChosen] = useState<number>();
  const [address, setAddress] = useState('');
  const [answer, setAnswer] = useState<Reach>();
  const [failure, setFailure] = useState<unknown>();
  const from = chosen ?? first?.id;
  async function ask(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    setFailure(undefined);
    setAnswer(undefined);
    try {
      const { data } = await api.get<Reach>(`/vpn/hubs/users/${from}/reach`, { query: { ip_address: address } });
      setAnswer(data);
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    }
  }
  if (!first) return <Card title={t('vpn.reach')}>{t('vpn.no_clients')}</Card>;
  return (
    <Card title={t('vpn.reach')}>
      <p>{t('vpn.reach_hint')}</p>
      <form className={styles.question} onSubmit={(event) => void ask(event)}>
        <div>
          <label htmlFor={`${id}-from`}>{t('fields.from_client_id')}</label>
          <LookupSelect
            id={`${id}-from`}
            lookup="vpn-clients"
            params={params}
            label={t('fields.from_client_id')}
            placeholder={first.name}
            value={from}
            isRequired
            onChange={setChosen}
          />
        </div>
        <div>
          <label htmlFor={`${id}-to`}>{t('fields.ip_address')}</label>
          <TextInput id={`${id}-to`} value={address} onChange={(event) => setAddress(event.target.value)} maxLength={15} />
        </div>
        <Button type="submit" disabled={address === ''}>
          {t('vpn.ask')}
        </Button>
      </form>
      {failure === undefined ? null : <Failure failure={failure} onRetry={() => void ask()} />}
      {answer ? (
        <p className={styles.answer} role="status">
          <StatusMark kind={answer.reaches ? 'good' : 'bad'}>
            {t(`vpn.reason.${answer.reason}`, { from: answer.from_name, to: answer.to_client_name ?? '' })}
          </StatusMark>
        </p>
      ) : null}
    </Card>
  );
}

/** Why there is no answer. */
function Failure({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  if (!(failure instanceof ApiError && failure.status === REFUSED)) return <ErrorState error={failure} onRetry={onRetry} />;
  return (
    <p className={styles.answer} role="alert">
      <StatusMark kind="bad">{failureMessage(failure)}</StatusMark>
    </p>
  );
}
