import { useCustom } from '@refinedev/core';
import type { VpnHub } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, Code, StatusMark } from '../../ui/index.ts';
import { useClients } from './HubParts.tsx';
import styles from './vpn.module.css';

interface QuickRoute {
  id: number;
  name: string;
  ip: string;
  netmask: string;
}

/** The way to a quick connection: the device joins, the profile is loaded, and what can be reached then. */
export function QuickSteps({ hub }: { hub: VpnHub }) {
  const t = useT();
  const clients = useClients(hub.id);
  const routes = useCustom<QuickRoute[], ApiError>({
    url: `/vpn/quick-hubs/${hub.id}/routes`,
    method: 'get',
    errorNotification: false,
  }).query;
  const device = clients.find(({ type }) => type === 'device');
  const person = clients.find(({ type }) => type === 'user');
  const isJoined = device?.connected === 1 || device?.sync_state === 'done';
  const mark = (isDone: boolean) => (
    <StatusMark kind={isDone ? 'good' : 'idle'}>{t(isDone ? 'vpn.step_done' : 'vpn.step_waiting')}</StatusMark>
  );
  return (
    <Card title={t('vpn.steps')}>
      <ol className={styles.steps}>
        <li>
          <span>{t('vpn.step_device')}</span>{' '}
          {device?.sync_state === 'failed' ? (
            <StatusMark kind="bad">{t('values.vpn_client.sync_state.failed')}</StatusMark>
          ) : (
            mark(isJoined)
          )}
        </li>
        <li>
          <span>{t('vpn.step_profile')}</span> {mark(person?.state === 'ready')}
          <p className={styles.muted}>{t('vpn.step_profile_hint')}</p>
          {person ? <Button onClick={() => void openForm('vpn/profile', { record: { ...person } })}>{t('vpn.get_profile')}</Button> : null}
        </li>
        <li>
          <span>{t('vpn.step_connect')}</span> {mark(person?.connected === 1)}
        </li>
      </ol>
      <h3 className={styles.heading}>{t('vpn.hosts')}</h3>
      <ul className={styles.options}>
        {device ? (
          <li>
            {device.name} <Code>{device.ip}</Code>
          </li>
        ) : null}
        {(routes.data?.data ?? []).map((route) => (
          <li key={route.id}>
            {route.name} <Code>{route.netmask === '255.255.255.255' ? route.ip : `${route.ip} ${route.netmask}`}</Code>
          </li>
        ))}
      </ul>
    </Card>
  );
}
