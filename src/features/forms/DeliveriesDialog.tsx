import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { StatusMark, type StatusKind } from '../../ui/StatusMark.tsx';
import { studio, type Delivery } from './studio-api.ts';
import styles from './deliveries.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'forms.deliveries': { props: { id: string }; result: never };
  }
}

const MARKS: Record<Delivery['state'], StatusKind> = { delivered: 'good', waiting: 'warn', failed: 'bad' };
const REFRESH_MS = 5000;

/** What a form handed to its webhook, newest first, with every try and the way to try at once. */
const DeliveriesDialog: DialogComponent<'forms.deliveries'> = ({ dialog, id }) => {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['form-deliveries', id],
    gcTime: 0,
    queryFn: () => studio.deliveries(id),
    refetchInterval: ({ state }) => (state.data?.some((delivery) => delivery.state === 'waiting') ? REFRESH_MS : false),
  });
  return (
    <DialogWindow
      dialog={dialog}
      title={t('studio.deliveries.title', { id })}
      size="large"
      canFullscreen
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Spinner /> : null}
      {data?.length === 0 ? <EmptyState icon="send" title={t('studio.deliveries.none')} text={t('studio.deliveries.none_hint')} /> : null}
      {data && data.length > 0 ? (
        <>
          <p className={styles.lead}>{t('studio.deliveries.lead')}</p>
          <ul className={styles.deliveries}>
            {data.map((delivery) => (
              <DeliveryItem key={delivery.id} formId={id} delivery={delivery} onTried={() => void refetch()} />
            ))}
          </ul>
        </>
      ) : null}
    </DialogWindow>
  );
};
export default DeliveriesDialog;

interface DeliveryItemProps {
  formId: string;
  delivery: Delivery;
  onTried: () => void;
}

function DeliveryItem({ formId, delivery, onTried }: DeliveryItemProps) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const { id, state, user_name: name, created_at: createdAt, next_at: nextAt, attempts } = delivery;

  async function handleRetry(): Promise<void> {
    setBusy(true);
    try {
      const answer = await studio.retryDelivery(formId, id);
      if (answer.state === 'delivered') toasts.success(t('studio.deliveries.taken', { id }));
      else if (answer.state === 'waiting' && answer.status === null) toasts.info(t('studio.deliveries.under_way', { id }));
      else toasts.warning(t('studio.deliveries.not_taken', { id }));
    } catch (failure) {
      toasts.error(failureMessage(failure));
    } finally {
      setBusy(false);
      onTried();
    }
  }

  return (
    <li className={styles.delivery}>
      <div className={styles.head}>
        <strong>{t('studio.deliveries.number', { id })}</strong>
        <StatusMark kind={MARKS[state]}>{t(`studio.deliveries.state.${state}`)}</StatusMark>
        <RelativeTime time={createdAt} />
        <span className={styles.quiet}>{t('studio.deliveries.by', { name })}</span>
        <code className={styles.quiet}>{delivery.target}</code>
        {state === 'delivered' ? null : (
          <Button size="small" icon="refresh-cw" isBusy={isBusy} onClick={() => void handleRetry()}>
            {t('studio.deliveries.retry')}
          </Button>
        )}
      </div>
      {attempts.length === 0 ? null : <Tries id={id} attempts={attempts} />}
      {nextAt === null ? null : (
        <p className={styles.quiet}>
          {t('studio.deliveries.next')} <RelativeTime time={nextAt} />
        </p>
      )}
    </li>
  );
}

function Tries({ id, attempts }: Pick<Delivery, 'id' | 'attempts'>) {
  const t = useT();
  return (
    <table className={styles.tries} aria-label={t('studio.deliveries.tries', { id })}>
      <thead>
        <tr>
          {['at', 'answer', 'duration'].map((column) => (
            <th key={column} scope="col">
              {t(`studio.deliveries.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ at, status, reason, duration_ms: duration }) => (
          <tr key={at}>
            <td>
              <RelativeTime time={at} />
            </td>
            <td>{status === null ? reasonWords(reason, t) : t('studio.deliveries.code', { status: String(status) })}</td>
            <td>{duration < 1000 ? `${duration} ms` : formatDuration(duration)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function reasonWords(reason: string | null, t: ReturnType<typeof useT>): string {
  const key = `studio.deliveries.reason.${reason ?? ''}`;
  return hasText(key) ? t(key) : (reason ?? '');
}
