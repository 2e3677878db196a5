import { useState } from 'react';
import type { VpnClient, VpnHub, VpnRule } from '../../../schemas/_generated/contract.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { DAY, parseWire } from '../../kernel/time/index.ts';
import { Muted, RelativeTime, StatusMark, Tag, Tooltip, type StatusKind } from '../../ui/index.ts';

export const runKinds: Record<VpnHub['run_state'], StatusKind> = {
  running: 'good',
  starting: 'warn',
  stopped: 'idle',
  failed: 'bad',
  away: 'bad',
  configuration: 'idle',
};

/** Whether a hub runs, with the reason where the system turned it off. */
export function RunStateCell({ row }: CellProps) {
  const t = useT();
  const hub = row as unknown as VpnHub;
  const mark = <StatusMark kind={runKinds[hub.run_state] ?? 'idle'}>{t(`values.vpn_hub.run_state.${hub.run_state}`)}</StatusMark>;
  const why = hub.disabled_reason === null ? hub.run_error : t(`values.vpn_hub.disabled_reason.${hub.disabled_reason}`);
  return why === null || why === undefined ? mark : <Tooltip text={why}>{mark}</Tooltip>;
}

/** How many of a hub's clients are connected. */
export function HubClientsCell({ row }: CellProps) {
  const t = useT();
  const { online_count: online, clients_count: total } = row as unknown as VpnHub;
  return t('vpn.of', { online: formatNumber(online), total: formatNumber(total) });
}

const SOON_DAYS = 30;

/** When a certificate expires, as a mark once that is near. */
export function ExpiryCell({ value }: CellProps) {
  const t = useT();
  const [now] = useState(() => Date.now());
  const at = typeof value === 'string' ? parseWire(value) : undefined;
  if (at === undefined || typeof value !== 'string') return <Muted>—</Muted>;
  const left = at - now;
  if (left <= 0) return <StatusMark kind="bad">{t('vpn.expired')}</StatusMark>;
  const time = <RelativeTime time={value} />;
  return left < SOON_DAYS * DAY ? <StatusMark kind="warn">{time}</StatusMark> : time;
}

/** Whether a client is connected, and since when. */
export function ConnectedCell({ row }: CellProps) {
  const t = useT();
  const { connected, connected_at: since } = row as unknown as VpnClient;
  if (connected === 0) return <StatusMark kind="idle">{t('values.vpn_client.connected.0')}</StatusMark>;
  return <StatusMark kind="good">{since === null ? t('values.vpn_client.connected.1') : <RelativeTime time={since} />}</StatusMark>;
}

/** An end of a rule: the name of a client, or a group. */
export function RuleEndCell({ row, column, value }: CellProps) {
  const t = useT();
  const rule = row as unknown as VpnRule;
  const kind = column.key === 'from_name' ? rule.from_kind : rule.to_kind;
  return kind === 'tag' ? <Tag>{t('vpn.group', { name: String(value) })}</Tag> : String(value);
}
