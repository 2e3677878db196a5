import { useCustom, useInvalidate } from '@refinedev/core';
import { Link } from 'react-router';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Banner, Button, RelativeTime } from '../../ui/index.ts';
import { TableCard } from './DetailsParts.tsx';
import styles from './devices.module.css';

interface Namesake {
  id: number;
  name: string;
  mac: string;
  model: string;
  wan_ip: string | null;
  company_name: string;
  last_update_at: string | null;
}

/** What a device that waits could have in common with one of the same serial number. */
const COMPARED = ['mac', 'model', 'wan_ip', 'company_name'] as const;

/** A device that waits for a decision, beside those that have its serial number, with the decision. */
export function QuarantineNotice({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const invalidate = useInvalidate();
  const { query } = useCustom<Namesake[], ApiError>({ url: `/devices/${device.id}/namesakes`, method: 'get', errorNotification: false });
  const rows = query.data?.data ?? [];
  const newcomer = rows.find(({ id }) => id === device.id);
  const isOther = (row: Namesake, key: (typeof COMPARED)[number]): boolean => newcomer !== undefined && row[key] !== newcomer[key];
  const differences = (row: Namesake): string =>
    COMPARED.filter((key) => isOther(row, key))
      .map((key) => t(`fields.${key}`))
      .join(', ');
  async function decide(decision: 'accept' | 'refuse'): Promise<void> {
    const window = { subtitle: device.name };
    if (await openForm('devices/quarantine', { record: { ...device }, initial: { decision }, window }))
      await invalidate({ resource: 'devices', invalidates: ['list', 'detail'], id: device.id });
  }
  return (
    <>
      <Banner
        kind="warn"
        title={t(`devices.quarantine.${device.quarantine}`)}
        actions={
          can('update_devices') ? (
            <>
              <Button size="small" onClick={() => void decide('accept')}>
                {t('devices.quarantine.accept')}
              </Button>
              <Button size="small" variant="danger" onClick={() => void decide('refuse')}>
                {t('devices.quarantine.refuse')}
              </Button>
            </>
          ) : null
        }
      >
        {t(`devices.quarantine.${device.quarantine}.next`)}
      </Banner>
      {rows.length > 1 ? (
        <TableCard
          title={t('devices.quarantine.same')}
          rows={rows}
          keyOf={({ id }) => String(id)}
          columns={[
            {
              key: 'name',
              title: t('fields.name'),
              render: ({ id, name }) =>
                id === device.id ? <strong>{t('devices.quarantine.this', { name })}</strong> : <Link to={`/devices/${id}`}>{name}</Link>,
            },
            {
              key: 'differs',
              title: t('devices.quarantine.differs'),
              render: (row) => (row.id === device.id ? '' : differences(row) || t('devices.quarantine.differs.nothing')),
            },
            { key: 'mac', title: t('fields.mac'), render: (row) => <Compared isOther={isOther(row, 'mac')}>{row.mac}</Compared> },
            {
              key: 'model',
              title: t('fields.model'),
              render: (row) => <Compared isOther={isOther(row, 'model')}>{row.model || '—'}</Compared>,
            },
            {
              key: 'ip',
              title: t('fields.wan_ip'),
              render: (row) => <Compared isOther={isOther(row, 'wan_ip')}>{row.wan_ip ?? '—'}</Compared>,
            },
            {
              key: 'company',
              title: t('fields.company_name'),
              render: (row) => <Compared isOther={isOther(row, 'company_name')}>{row.company_name}</Compared>,
            },
            { key: 'seen', title: t('fields.last_update_at'), render: ({ last_update_at: time }) => <RelativeTime time={time} saysAgo /> },
          ]}
        />
      ) : null}
    </>
  );
}

/** A value, marked where it is not the one of the device that waits. */
function Compared({ isOther, children }: { isOther: boolean; children: string }) {
  return isOther ? <mark className={styles.differs}>{children}</mark> : <>{children}</>;
}
