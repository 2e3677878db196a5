import { useCustom, useCustomMutation, type BaseRecord } from '@refinedev/core';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Icon } from '../../ui/index.ts';
import styles from './home.module.css';

interface DemoFleet {
  company_id: number | null;
  devices: number;
}

/** Starts the simulated devices of the demo fleet, and removes them again; for those who run the server. */
export function DemoFleetLine() {
  const t = useT();
  const can = useCan();
  const isOwn = can('super_admin');
  const { mutateAsync, mutation } = useCustomMutation<BaseRecord, ApiError>();
  const { query } = useCustom<DemoFleet, ApiError>({
    url: '/demo-fleet',
    method: 'get',
    queryOptions: { enabled: isOwn },
    errorNotification: false,
  });
  const fleet = query.data?.data;
  if (!isOwn || !fleet) return null;
  const isRunning = fleet.company_id !== null;
  const change = async () => {
    try {
      await mutateAsync({
        url: '/demo-fleet',
        method: isRunning ? 'delete' : 'post',
        values: {},
        successNotification: false,
        errorNotification: false,
      });
      toasts.success(t(isRunning ? 'home.demo.removed' : 'home.demo.started'));
      await queryClient.invalidateQueries();
    } catch (error) {
      toasts.error(failureMessage(error));
    }
  };
  return (
    <li className={styles.step}>
      <Icon name="router" className={styles.tick} />
      <span className={styles.names}>
        <span className={styles.name}>{t(isRunning ? 'home.demo.running' : 'home.demo')}</span>
        <span className={styles.note}>{isRunning ? t('home.demo.running.how') : t('home.demo.how', { count: fleet.devices })}</span>
      </span>
      {isRunning ? (
        <Button size="small" to={`/management/devices?company_id=${fleet.company_id}`}>
          {t('home.demo.open')}
        </Button>
      ) : null}
      <Button size="small" isBusy={mutation.isPending} onClick={() => void change()}>
        {t(isRunning ? 'home.demo.remove' : 'home.demo.start')}
      </Button>
    </li>
  );
}
