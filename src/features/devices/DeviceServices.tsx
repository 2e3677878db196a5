import { useCustom } from '@refinedev/core';
import type { Device, DeviceCredit } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, ExactTime, Skeleton, StatusMark } from '../../ui/index.ts';
import { TableCard } from './DetailsParts.tsx';
import styles from './details.module.css';

const kinds = { running: 'good', reserved: 'info', ended: 'bad' } as const;

/** Whether the device is let in, and a button that changes it. */
function MonitoringCard({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const { id, name } = device;
  const change = (): void => {
    const form = 'devices/monitoring';
    void openDialog('job.start', { kind: 'monitoring', form, risk: 'disruptive', selection: { device_id: [id] }, count: 1, name });
  };
  const button = (
    <Button size="small" icon="eye" onClick={change}>
      {t('devices.services.change')}
    </Button>
  );
  return (
    <Card title={t('fields.monitoring_enabled')} extra={can('update_devices') ? button : undefined}>
      <StatusMark kind={device.monitoring_enabled ? 'good' : 'idle'}>
        {t(device.monitoring_enabled ? 'devices.services.monitored' : 'devices.services.not_monitored')}
      </StatusMark>
    </Card>
  );
}

/** What a device uses of the credits of its company, and until when. */
export function DeviceServices({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const typeWords = ({ credit_type, credit_type_name }: DeviceCredit): string =>
    t(`credit_types.${credit_type === 'free' || can('super_admin') ? `${credit_type}_` : ''}${credit_type_name}`);
  const { query } = useCustom<DeviceCredit[], ApiError>({
    url: '/credits/devices',
    method: 'get',
    config: { query: { device_id: device.id } },
    errorNotification: false,
  });
  const data = query.data?.data;
  async function change(): Promise<void> {
    const started = await openDialog('job.start', {
      kind: 'credit',
      form: 'devices/credit',
      risk: 'low',
      selection: { device_id: [device.id] },
      count: 1,
      name: device.name,
    });
    if (started) void query.refetch();
  }
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!data) return <Skeleton height={160} />;
  return (
    <div className={styles.column}>
      <TableCard
        title={t('devices.services.title')}
        rows={data}
        none={t('devices.services.none')}
        keyOf={({ id }) => String(id)}
        extra={
          <Button size="small" icon="coins" onClick={() => void change()}>
            {t('devices.services.change')}
          </Button>
        }
        columns={[
          { key: 'type', title: t('devices.services.type'), render: typeWords },
          {
            key: 'state',
            title: t('fields.state'),
            render: ({ state }) => <StatusMark kind={kinds[state]}>{t(`values.device_credit.state.${state}`)}</StatusMark>,
          },
          {
            key: 'extend',
            title: t('devices.services.extend'),
            render: ({ auto_extend_credit: is }) => t(is ? 'devices.services.yes' : 'devices.services.no'),
          },
          {
            key: 'cost',
            title: t('devices.services.cost'),
            render: ({ auto_extend_credit: is }) => t(is ? 'devices.services.cost.again' : 'devices.services.cost.once'),
          },
          { key: 'from', title: t('devices.services.from'), render: ({ starts_at: time }) => (time ? <ExactTime time={time} /> : '—') },
          { key: 'until', title: t('fields.expire_at'), render: ({ expire_at: time }) => (time ? <ExactTime time={time} /> : '—') },
        ]}
      />
      <MonitoringCard device={device} />
    </div>
  );
}
