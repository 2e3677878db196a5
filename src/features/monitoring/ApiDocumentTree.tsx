import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import type { ApiNode } from '../../../schemas/kit/devices/api-sources.ts';
import type { KnownField } from '../../../schemas/kit/devices/known-sources.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Code, ErrorState, SearchInput, Skeleton } from '../../ui/index.ts';
import { AddField, type SourceChoice } from './AddField.tsx';
import { OpenBranch } from './OpenBranch.tsx';
import styles from './monitoring.module.css';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

const MOST_FOUND = 50;
const PATH = '/data-collect/sources';

/** An address that an API document describes. */
export interface DescribedSource {
  system: 'rutos' | 'tswos';
  url: string;
  title: string;
  nodes?: ApiNode[];
}

/** The room of an address in its API: `/api/modems/status` is of `modems`. */
const roomOf = (url: string): string => url.split('/')[2] ?? '';

/** The addresses of one system by their first part; with a search, those that it finds. */
export function ApiDocumentTree({ sources, ...choice }: { sources: readonly DescribedSource[] } & SourceChoice) {
  const t = useT();
  const [text, setText] = useState('');
  const found = sources.filter(({ url, title }) => includesText(`${url} ${title}`, text));
  return (
    <>
      <li className={styles.leaf}>
        <SearchInput label={t('monitoring.known.search')} value={text} onChange={setText} />
      </li>
      {text === ''
        ? [...Map.groupBy(sources, ({ url }) => roomOf(url))].map(([room, own]) => (
            <OpenBranch key={room} summary={<Code>{room}</Code>}>
              {() => own.map((source) => <Address key={source.url} source={source} {...choice} />)}
            </OpenBranch>
          ))
        : found.slice(0, MOST_FOUND).map((source) => <Address key={source.url} source={source} {...choice} />)}
      {text !== '' && found.length === 0 ? <li role="status">{t('monitoring.known.nothing', { text })}</li> : null}
      {text !== '' && found.length > MOST_FOUND ? (
        <li role="status" className={styles.quiet}>
          {t('monitoring.known.more', { count: found.length - MOST_FOUND })}
        </li>
      ) : null}
    </>
  );
}

function Address({ source: { system, url, title }, ...choice }: { source: DescribedSource } & SourceChoice) {
  return (
    <OpenBranch
      summary={
        <>
          <Code>{url}</Code> <span className={styles.quiet}>{title}</span>
        </>
      }
    >
      {() => <Answer system={system} url={url} {...choice} />}
    </OpenBranch>
  );
}

function Answer({ system, url, onAsk, ...choice }: Pick<DescribedSource, 'system' | 'url'> & SourceChoice) {
  const t = useT();
  const { query } = useCustom<DescribedSource[], ApiError>({
    url: PATH,
    method: 'get',
    config: { query: { system, url } },
    errorNotification: false,
  });
  const nodes = query.data?.data[0]?.nodes;
  if (query.error)
    return (
      <li>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </li>
    );
  if (!nodes)
    return (
      <li>
        <Skeleton height={40} />
      </li>
    );
  return (
    <>
      {onAsk ? (
        <li className={styles.leaf}>
          <Button size="small" variant="link" aria-label={t('monitoring.known.take_url', { url })} onClick={() => onAsk(url)}>
            {t('monitoring.known.take')}
          </Button>
        </li>
      ) : null}
      {nodes.length === 0 ? <li className={styles.quiet}>{t('monitoring.known.no_fields')}</li> : null}
      {nodes.map((node) => (
        <Member key={node.path} node={node} url={url} {...choice} />
      ))}
    </>
  );
}

function Member({ node, url, ...choice }: { node: ApiNode; url: string } & Omit<SourceChoice, 'onAsk'>) {
  const { name, path, type, help, children = [] } = node;
  const label = (
    <>
      <Code>{name}</Code> {help === undefined ? null : <span className={styles.quiet}>{help}</span>}
    </>
  );
  if (type === undefined)
    return (
      <OpenBranch summary={label} isOpenAtFirst={path.length < 16}>
        {() => children.map((child) => <Member key={child.path} node={child} url={url} {...choice} />)}
      </OpenBranch>
    );
  const field: KnownField = { filter: path, type };
  return (
    <li className={styles.leaf}>
      {label} <AddField url={url} field={field} {...choice} />
    </li>
  );
}
