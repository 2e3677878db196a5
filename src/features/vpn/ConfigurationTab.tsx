import { useCustom } from '@refinedev/core';
import type { VpnHub } from '../../../schemas/_generated/contract.ts';
import { api, failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Card, Code, ErrorState, IconButton, Skeleton, SmallTable, StatusMark, Switch, type StatusKind } from '../../ui/index.ts';
import styles from './vpn.module.css';

interface DhcpOption {
  id: number;
  type: 'DNS' | 'WINS';
  ip_address: string;
}
interface Forwarding {
  device_id: number;
  name: string;
  lan: boolean;
  wan: boolean;
}
interface Zone {
  name: string;
  state: 'answers' | 'away' | 'configuration';
}

const LOOK_EVERY_MS = 5 * SECOND;
const zoneKinds: Record<Zone['state'], StatusKind> = { answers: 'good', away: 'bad', configuration: 'idle' };

/** Shown until a query has data: that it loads, or why it failed. */
function Pending({ query }: { query: { data: unknown; error: unknown; refetch(): unknown } }) {
  if (query.data !== undefined) return null;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton height={40} />;
}

/** What a hub gives its clients, and what its devices let through. */
export function ConfigurationTab({ hub }: { hub: VpnHub }) {
  const t = useT();
  const canChange = useCan()('update_vpn_hubs');
  const dhcp = useCustom<DhcpOption[], ApiError>({ url: `/vpn/hubs/${hub.id}/dhcp`, method: 'get', errorNotification: false }).query;
  const rules = useCustom<Forwarding[], ApiError>({
    url: `/vpn/hubs/${hub.id}/devices/rules`,
    method: 'get',
    errorNotification: false,
  }).query;
  const zones = useCustom<Zone[], ApiError>({
    url: '/vpn/hubs/zones',
    method: 'get',
    config: { query: { name: hub.hub_zone } },
    queryOptions: { refetchInterval: LOOK_EVERY_MS },
    errorNotification: false,
  }).query;
  const zone = zones.data?.data.find(({ name }) => name === hub.hub_zone);
  async function change(send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      await Promise.all([dhcp.refetch(), rules.refetch()]);
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: t('vpn.failed') }));
    }
  }
  const options = dhcp.data?.data ?? [];
  const devices = rules.data?.data ?? [];
  const forward = (device: Forwarding, network: 'lan' | 'wan') =>
    canChange ? (
      <Switch
        label={t(device[network] ? 'table.yes' : 'table.no')}
        isOn={device[network]}
        onChange={(status) => void change(() => api.post(`/vpn/hubs/${hub.id}/devices/${device.device_id}/rules`, { network, status }))}
      />
    ) : (
      t(device[network] ? 'table.yes' : 'table.no')
    );
  return (
    <div className={styles.page}>
      <Card title={t('vpn.configuration')}>
        <dl className={styles.facts}>
          <dt>{t('fields.vpn_type')}</dt>
          <dd>{t(`values.vpn_hub.vpn_type.${hub.vpn_type}`)}</dd>
          <dt>{t('fields.hub_zone')}</dt>
          <dd>
            {hub.hub_zone_name}{' '}
            {zone ? <StatusMark kind={zoneKinds[zone.state]}>{t(`values.vpn_hub.zone_state.${zone.state}`)}</StatusMark> : null}
          </dd>
          <dt>{t('fields.network_address')}</dt>
          <dd>
            <Code>{hub.ip}</Code> <Code>{hub.netmask}</Code>
          </dd>
          <dt>{t('fields.endpoint')}</dt>
          <dd>
            <Code>
              {hub.endpoint}:{hub.port}/udp
            </Code>
          </dd>
        </dl>
      </Card>
      <Card title={t('vpn.dhcp')}>
        <Pending query={dhcp} />
        {dhcp.data && options.length === 0 ? <p className={styles.muted}>{t('vpn.no_dhcp')}</p> : null}
        {options.length === 0 ? null : (
          <ul className={styles.options}>
            {options.map((option) => (
              <li key={option.id}>
                {option.type} <Code>{option.ip_address}</Code>
                {canChange ? (
                  <IconButton
                    icon="trash-2"
                    label={t('vpn.remove_option', { type: option.type, address: option.ip_address })}
                    onClick={() =>
                      void change(() => api.delete(`/vpn/hubs/${hub.id}/dhcp`, { type: option.type, ip_address: option.ip_address }))
                    }
                  />
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t('vpn.forwarding')}>
        <p>{t('vpn.forwarding_hint')}</p>
        <Pending query={rules} />
        {rules.data && devices.length === 0 ? <p className={styles.muted}>{t('vpn.no_devices')}</p> : null}
        {devices.length === 0 ? null : (
          <SmallTable
            hasRowNames
            columns={[
              { key: 'name', title: t('entities.device'), render: (row: Forwarding) => row.name },
              { key: 'lan', title: t('fields.forward_lan'), render: (row: Forwarding) => forward(row, 'lan') },
              { key: 'wan', title: t('fields.forward_wan'), render: (row: Forwarding) => forward(row, 'wan') },
            ]}
            rows={devices}
            keyOf={(row) => row.device_id}
          />
        )}
      </Card>
    </div>
  );
}
