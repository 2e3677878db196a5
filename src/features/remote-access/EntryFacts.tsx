import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { RemoteEntry } from '../../../schemas/_generated/contract.ts';
import { getResource } from '../../engine/resources/all.ts';
import { valueLabel } from '../../engine/table/labels.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, Code, ExactTime, RelativeTime, Tag, TagLine } from '../../ui/index.ts';
import styles from './remote-access.module.css';

const ITSELF = '127.0.0.1';
const WEB = new Set<RemoteEntry['protocol']>(['http', 'https']);

/** Where an entry leads, how it is reached, and what the last check found. */
export function EntryFacts({ entry }: { entry: RemoteEntry }) {
  const t = useT();
  const can = useCan();
  const named = (key: keyof RemoteEntry): string => valueLabel(getResource('remote-access'), key, entry[key]);
  const facts: [string, ReactNode][] = [
    [
      'device_name',
      can('view_devices') ? (
        <Link key="device" to={`/devices/${entry.device_id}/access`}>
          {entry.device_name}
        </Link>
      ) : (
        entry.device_name
      ),
    ],
    ...(can('view_companies') ? ([['company_name', entry.company_name]] as [string, ReactNode][]) : []),
    ['protocol', named('protocol')],
    [
      'destination_ip',
      <span key="address">
        <Code>{entry.destination_ip}</Code>
        {entry.destination_ip === ITSELF ? ` (${t('remote-access.itself')})` : null}
      </span>,
    ],
    ['destination_port', entry.destination_port],
    ['way', named('way')],
    ['credentials_required', named('credentials_required')],
    ['has_credentials', named('has_credentials')],
    ...(entry.has_credentials === 1 && WEB.has(entry.protocol) ? ([['login_form', named('login_form')]] as [string, ReactNode][]) : []),
    ['state', named('state')],
    [
      'checked_at',
      entry.checked_at === null ? t('remote-access.not_checked') : <RelativeTime key="checked" time={entry.checked_at} saysAgo />,
    ],
    ['created_at', <ExactTime key="created" time={entry.created_at} />],
    ['updated_at', <ExactTime key="updated" time={entry.updated_at} />],
  ];
  return (
    <Card title={t('remote-access.about')}>
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`fields.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {entry.tags.length === 0 ? null : (
          <div>
            <dt>{t('fields.tags')}</dt>
            <dd>
              <TagLine more={undefined}>
                {entry.tags.map((tag) => (
                  <Tag key={tag.id} color={tag.color}>
                    {tag.name}
                  </Tag>
                ))}
              </TagLine>
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
