import { useList } from '@refinedev/core';
import { useId, useState, type FormEvent } from 'react';
import type { VpnClient } from '../../../schemas/_generated/contract.ts';
import { api, ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, Select, StatusMark, TextInput } from '../../ui/index.ts';
import styles from './vpn.module.css';

interface Reach {
  reaches: boolean;
  reason: string;
  to_client_id: number | null;
}

const MOST_CLIENTS = 100;
/** What was asked is no question that can be answered, such as an address that is none. */
const REFUSED = 400;

/** Asks which rule decides whether a client reaches an address. */
export function ReachCard({ hubId }: { hubId: number }) {
  const t = useT();
  const id = useId();
  const { result: found } = useList<VpnClient, ApiError>({
    resource: 'vpn-clients',
    filters: [{ field: 'vpn_hub_id', operator: 'eq', value: String(hubId) }],
    pagination: { pageSize: MOST_CLIENTS },
  });
  const clients = found.data;
  const [chosen, setChosen] = useState('');
  const [address, setAddress] = useState('');
  const [answer, setAnswer] = useState<{ reach: Reach; from: string }>();
  const [failure, setFailure] = useState<unknown>();
  const from = chosen || String(clients[0]?.id ?? '');
  const nameOf = (client: number | null): string => clients.find((one) => one.id === client)?.name ?? '';
  async function ask(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    setFailure(undefined);
    setAnswer(undefined);
    try {
      const { data } = await api.get<Reach>(`/vpn/hubs/users/${from}/reach`, { query: { ip_address: address } });
      setAnswer({ reach: data, from: nameOf(Number(from)) });
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    }
  }
  if (clients.length === 0) return <Card title={t('vpn.reach')}>{t('vpn.no_clients')}</Card>;
  return (
    <Card title={t('vpn.reach')}>
      <p>{t('vpn.reach_hint')}</p>
      <form className={styles.question} onSubmit={(event) => void ask(event)}>
        <div>
          <label htmlFor={`${id}-from`}>{t('fields.from_client_id')}</label>
          <Select
            id={`${id}-from`}
            value={from}
            choices={clients.map((client) => ({ value: String(client.id), label: client.name }))}
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
          <StatusMark kind={answer.reach.reaches ? 'good' : 'bad'}>
            {t(`vpn.reason.${answer.reach.reason}`, { from: answer.from, to: nameOf(answer.reach.to_client_id) })}
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
