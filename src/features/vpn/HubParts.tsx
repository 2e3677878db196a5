import { useCustom, useList } from '@refinedev/core';
import type { VpnClient, VpnHub } from '../../../schemas/_generated/contract.ts';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { Banner, Card, Code, ErrorState, SmallTable } from '../../ui/index.ts';
import styles from './vpn.module.css';

const LOOK_EVERY_MS = 5 * SECOND;
const MOST_CLIENTS = 100;

/** What somebody has to know of a hub before anything else. */
export function HubBanners({ hub }: { hub: VpnHub }) {
  const t = useT();
  const openVpn = hub.vpn_type === 'wireguard' ? '' : '_openvpn';
  return (
    <>
      {hub.disabled_reason === null ? null : (
        <Banner kind="warn">{t('vpn.disabled', { reason: t(`values.vpn_hub.disabled_reason.${hub.disabled_reason}`) })}</Banner>
      )}
      {hub.run_state === 'configuration' ? <Banner kind="info">{t(`vpn.not_run${openVpn}`)}</Banner> : null}
      {hub.run_state === 'away' ? <Banner kind="bad">{t('vpn.away')}</Banner> : null}
      {hub.run_state === 'failed' ? <Banner kind="bad">{t('vpn.failed_run', { error: hub.run_error ?? '' })}</Banner> : null}
      <Banner kind="info">{t('vpn.beta')}</Banner>
    </>
  );
}

interface Session {
  vpn_user_id: number | null;
  name: string;
  ip: string;
  session_bytes_send: number;
  session_bytes_received: number;
  seconds: number;
}

/** Who is connected now, asked again every few seconds while the page is open. */
export function LiveSessions({ hubId }: { hubId: number }) {
  const t = useT();
  const { query } = useCustom<Session[], ApiError>({
    url: `/vpn/hubs/${hubId}/sessions`,
    method: 'get',
    queryOptions: { refetchInterval: LOOK_EVERY_MS },
    errorNotification: false,
  });
  const sessions = query.data?.data ?? [];
  return (
    <Card title={t('vpn.live')}>
      {query.error && !query.data ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {sessions.length === 0 ? (
        query.data ? (
          <p className={styles.muted}>{t('vpn.nobody')}</p>
        ) : null
      ) : (
        <div className={styles.scroll}>
          <SmallTable
            hasRowNames
            label={t('vpn.live')}
            columns={[
              { key: 'name', title: t('fields.name'), render: (row: Session) => row.name },
              { key: 'ip', title: t('fields.remote'), render: (row: Session) => <Code>{row.ip}</Code> },
              { key: 'since', title: t('fields.connected_at'), render: (row: Session) => formatDuration(row.seconds * SECOND) },
              { key: 'sent', title: t('fields.session_bytes_send'), render: (row: Session) => formatBytes(row.session_bytes_send) },
              {
                key: 'received',
                title: t('fields.session_bytes_received'),
                render: (row: Session) => formatBytes(row.session_bytes_received),
              },
            ]}
            rows={sessions}
            keyOf={(row) => `${row.vpn_user_id} ${row.ip}`}
          />
        </div>
      )}
    </Card>
  );
}

/** The clients of a hub, asked again every few seconds: they connect and are given profiles meanwhile. */
export const useClients = (hubId: number): VpnClient[] =>
  useList<VpnClient, ApiError>({
    resource: 'vpn-clients',
    filters: [{ field: 'vpn_hub_id', operator: 'eq', value: String(hubId) }],
    pagination: { pageSize: MOST_CLIENTS },
    queryOptions: { refetchInterval: LOOK_EVERY_MS },
    errorNotification: false,
  }).result.data;

const RADIUS = 130;
const MARGIN = 90;
const SIZE = 2 * (RADIUS + MARGIN);
const MOST_DRAWN = 40;

/** Clients around a circle, with an arrow from each to those that it reaches; the same as sentences for screen readers. */
export function ReachPicture({ hubId }: { hubId: number }) {
  const t = useT();
  const clients = useClients(hubId).slice(0, MOST_DRAWN);
  const { query } = useCustom<{ from: number; to: number[] }[], ApiError>({
    url: `/vpn/hubs/${hubId}/reach`,
    method: 'get',
    errorNotification: false,
  });
  const places = new Map(
    clients.map(({ id }, index) => {
      const angle = (2 * Math.PI * index) / clients.length - Math.PI / 2;
      return [id, { x: SIZE / 2 + RADIUS * Math.cos(angle), y: SIZE / 2 + RADIUS * Math.sin(angle), isLeft: Math.cos(angle) < -0.01 }];
    }),
  );
  const nameOf = (id: number): string => clients.find((client) => client.id === id)?.name ?? '';
  const ways = (query.data?.data ?? []).flatMap(({ from, to }) => to.map((end) => ({ from, end })));
  const drawn = ways.filter(({ from, end }) => places.has(from) && places.has(end));
  if (clients.length === 0) return null;
  return (
    <Card title={t('vpn.picture')}>
      {drawn.length === 0 ? <p className={styles.muted}>{t('vpn.picture_none')}</p> : null}
      <svg className={styles.picture} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
        <defs>
          <marker id="vpn-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M0 0 8 4 0 8z" className={styles.arrow} />
          </marker>
        </defs>
        {drawn.map(({ from, end }) => {
          const [a, b] = [places.get(from), places.get(end)];
          if (!a || !b) return null;
          const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
          const [dx, dy] = [((b.x - a.x) / length) * 9, ((b.y - a.y) / length) * 9];
          return (
            <line
              key={`${from}-${end}`}
              x1={a.x + dx}
              y1={a.y + dy}
              x2={b.x - dx}
              y2={b.y - dy}
              className={styles.way}
              markerEnd="url(#vpn-arrow)"
            />
          );
        })}
        {clients.map((client) => {
          const place = places.get(client.id);
          if (!place) return null;
          return (
            <g key={client.id}>
              <circle cx={place.x} cy={place.y} r={6} className={client.connected === 1 ? styles.online : styles.offline} />
              <text
                x={place.x + (place.isLeft ? -12 : 12)}
                y={place.y + 4}
                textAnchor={place.isLeft ? 'end' : 'start'}
                className={styles.label}
              >
                {client.name.length > 14 ? `${client.name.slice(0, 13)}…` : client.name}
              </text>
            </g>
          );
        })}
      </svg>
      <ul className={styles.sentences}>
        {drawn.map(({ from, end }) => (
          <li key={`${from}-${end}`}>{t('vpn.reaches', { from: nameOf(from), to: nameOf(end) })}</li>
        ))}
      </ul>
    </Card>
  );
}
