import { useCustom, useCustomMutation } from '@refinedev/core';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { failureNotice } from '../../engine/data/notification-provider.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, EmptyState, ErrorState, RelativeTime, SmallTable, Spinner, type StatusKind, StatusMark } from '../../ui/index.ts';
import type { Delivery } from './studio-api.ts';
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
  const { query } = useCustom<Delivery[], ApiError>({
    url: `/forms/${id}/deliveries`,
    method: 'get',
    queryOptions: {
      gcTime: 0,
      refetchInterval: ({ state }) => (state.data?.data.some((delivery) => delivery.state === 'waiting') ? REFRESH_MS : false),
    },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
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
  const { mutate, mutation } = useCustomMutation<Pick<Delivery, 'state'> & { status: number | null }, ApiError, undefined>();
  const { id, state, user_name: name, created_at: createdAt, next_at: nextAt, attempts } = delivery;

  /** `status` is null when the other side could not be reached, or is being tried already. */
  function handleRetry(): void {
    mutate(
      { url: `/forms/${formId}/deliveries/${id}/retry`, method: 'post', values: undefined, errorNotification: failureNotice() },
      {
        onSuccess: ({ data: answer }) => {
          if (answer.state === 'delivered') toasts.success(t('studio.deliveries.taken', { id }));
          else if (answer.state === 'waiting' && answer.status === null) toasts.info(t('studio.deliveries.under_way', { id }));
          else toasts.warning(t('studio.deliveries.not_taken', { id }));
        },
        onSettled: onTried,
      },
    );
  }

  return (
    <li className={styles.delivery}>
      <div className={styles.head}>
        <strong>{t('studio.deliveries.number', { id })}</strong>
        <StatusMark kind={MARKS[state]}>{t(`studio.deliveries.state.${state}`)}</StatusMark>
        <RelativeTime time={createdAt} saysAgo />
        <span className={styles.quiet}>{t('studio.deliveries.by', { name })}</span>
        <code className={styles.quiet}>{delivery.target}</code>
        {state === 'delivered' ? null : (
          <Button size="small" icon="refresh-cw" isBusy={mutation.isPending} onClick={handleRetry}>
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
    <SmallTable
      className={styles.tries}
      label={t('studio.deliveries.tries', { id })}
      columns={[
        { key: 'at', title: t('studio.deliveries.at'), render: ({ at }) => <RelativeTime time={at} /> },
        {
          key: 'answer',
          title: t('studio.deliveries.answer'),
          render: ({ status, reason }) =>
            status === null ? reasonWords(reason, t) : t('studio.deliveries.code', { status: String(status) }),
        },
        {
          key: 'duration',
          title: t('studio.deliveries.duration'),
          render: ({ duration_ms: duration }) => (duration < 1000 ? `${duration} ms` : formatDuration(duration)),
        },
      ]}
      rows={attempts}
      keyOf={({ at }) => at}
    />
  );
}

function reasonWords(reason: string | null, t: ReturnType<typeof useT>): string {
  const key = `studio.deliveries.reason.${reason ?? ''}`;
  return hasText(key) ? t(key) : (reason ?? '');
}
