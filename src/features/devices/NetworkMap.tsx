import { useCustom } from '@refinedev/core';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { NetworkMap as Answer, NetworkNode } from '../../../schemas/kit/devices/network-map.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, Card, EmptyState, ErrorState, PressArea, SearchInput, Skeleton, SmallTable, TreeChart } from '../../ui/index.ts';
import { chartItem, matchesNode, whereOf } from './network-items.ts';
import details from './details.module.css';
import styles from './network-map.module.css';

const AGAIN_MS = 60_000;
/** Rows of the table beside the map; a search finds the others. */
const MOST_ROWS = 100;

/** The network behind a device or at a site, with a table beside it and what is otherwise than yesterday. */
export function NetworkMap({ of, id }: { of: 'devices' | 'sites'; id: number }) {
  const t = useT();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState('');
  const { query } = useCustom<Answer, ApiError>({
    url: `/${of}/${id}/network-map`,
    method: 'get',
    queryOptions: { refetchInterval: AGAIN_MS },
    errorNotification: false,
  });
  const map = query.data?.data;
  const items = useMemo(() => (map?.nodes ?? []).map((node) => chartItem(node, t)), [map, t]);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!map) return <Skeleton height={280} />;
  const byId = new Map(map.nodes.map((node) => [node.id, node]));
  const open = (nodeId: string): void => {
    const node = byId.get(nodeId);
    if (node?.kind === 'device' && !(of === 'devices' && node.device_id === id)) void navigate(`/devices/${node.device_id}`);
  };
  const found = map.nodes.filter((node) => !['site', 'port', 'wifi'].includes(node.kind) && matchesNode(node, text));
  return (
    <Card
      title={t('map.network')}
      extra={
        <Button size="small" icon="history" onClick={() => void openDialog('devices.network-map-changes', { changes: map.changes })}>
          {map.changes.length === 0 ? t('map.network.no_changes') : t('map.network.changes', { count: map.changes.length })}
        </Button>
      }
    >
      {map.silent_devices > 0 ? <p className={details.muted}>{t('map.network.silent', { count: map.silent_devices })}</p> : null}
      {map.is_cut ? <Banner kind="warn">{t('map.network.cut')}</Banner> : null}
      {map.nodes.length < 2 ? (
        <EmptyState title={t('map.network.none')} text={t('map.network.none.text')} />
      ) : (
        <div className={styles.sides}>
          <TreeChart
            items={items}
            label={t('map.network')}
            labels={{ zoomIn: t('map.network.zoom_in'), zoomOut: t('map.network.zoom_out') }}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={open}
          />
          <div className={styles.list}>
            <SearchInput label={t('map.network.search')} value={text} onChange={setText} />
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse. */}
            <div className={styles.rows} role="region" aria-label={t('map.network.hosts')} tabIndex={0}>
              <SmallTable<NetworkNode>
                className={details.table}
                label={t('map.network.hosts')}
                hasRowNames
                rows={found.slice(0, MOST_ROWS)}
                keyOf={(node) => node.id}
                isChosen={(node) => node.id === chosen}
                columns={[
                  {
                    key: 'name',
                    title: t('map.network.name'),
                    render: (node) => (
                      <PressArea className={styles.name} isPressed={node.id === chosen} onClick={() => setChosen(node.id)}>
                        {node.name || node.ip || node.mac}
                      </PressArea>
                    ),
                  },
                  { key: 'where', title: t('map.network.where'), render: (node) => whereOf(node, byId) },
                  { key: 'change', title: t('map.network.change'), render: ({ change }) => (change ? t(`map.network.${change}`) : '') },
                  { key: 'ip', title: t('map.network.ip'), render: ({ ip }) => (ip ? <code>{ip}</code> : '—') },
                  { key: 'mac', title: t('fields.mac'), render: ({ mac }) => (mac ? <code>{mac}</code> : '—') },
                ]}
              />
            </div>
            {found.length > MOST_ROWS ? (
              <p className={details.muted}>{t('map.network.more', { count: found.length - MOST_ROWS })}</p>
            ) : null}
          </div>
        </div>
      )}
    </Card>
  );
}
