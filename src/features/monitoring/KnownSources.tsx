import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import { KNOWN_SOURCES, type SourceKind } from '../../../schemas/kit/devices/known-sources.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Code, ErrorState, Skeleton } from '../../ui/index.ts';
import { AddField, type SourceChoice } from './AddField.tsx';
import { ApiDocumentTree, type DescribedSource } from './ApiDocumentTree.tsx';
import { OpenBranch } from './OpenBranch.tsx';
import styles from './monitoring.module.css';

const KINDS: readonly SourceKind[] = ['api', 'ubus', 'file', 'command'];
/** Whose documents there may be, by the names of the systems. */
const SYSTEMS = { rutos: 'RutOS', tswos: 'TSWOS' } as const;

/**
 * The addresses that devices answer, as a tree: those of the API documents that were uploaded, with the members of their answers, and those that are usual.
 * Each can be taken to ask a device, and its values become variables.
 */
export function KnownSources(choice: SourceChoice) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('monitoring.known.title')}</summary>
      {isOpen ? (
        <ul className={styles.tree} aria-label={t('monitoring.known.title')}>
          <Described {...choice} />
          {KINDS.map((kind) => (
            <Usual key={kind} kind={kind} {...choice} />
          ))}
        </ul>
      ) : null}
    </details>
  );
}

function Described(choice: SourceChoice) {
  const t = useT();
  const { query } = useCustom<DescribedSource[], ApiError>({ url: '/data-collect/sources', method: 'get', errorNotification: false });
  const sources = query.data?.data;
  if (query.error)
    return (
      <li>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </li>
    );
  if (!sources)
    return (
      <li>
        <Skeleton height={24} />
      </li>
    );
  if (sources.length === 0) return <li className={styles.quiet}>{t('monitoring.known.no_document')}</li>;
  return Object.entries(SYSTEMS).flatMap(([system, name]) => {
    const own = sources.filter((source) => source.system === system);
    return own.length === 0
      ? []
      : [
          <OpenBranch key={system} isOpenAtFirst summary={t('monitoring.known.document', { system: name, count: own.length })}>
            {() => <ApiDocumentTree sources={own} {...choice} />}
          </OpenBranch>,
        ];
  });
}

/** What monitoring templates are usually about. */
function Usual({ kind, onAsk, ...choice }: { kind: SourceKind } & SourceChoice) {
  const t = useT();
  return (
    <OpenBranch summary={t(`monitoring.known.${kind}`)}>
      {() =>
        KNOWN_SOURCES[kind].map(({ url, fields }) => (
          <OpenBranch key={url} summary={<Code>{url}</Code>}>
            {() => (
              <>
                {onAsk ? (
                  <li className={styles.leaf}>
                    <Button size="small" variant="link" aria-label={t('monitoring.known.take_url', { url })} onClick={() => onAsk(url)}>
                      {t('monitoring.known.take')}
                    </Button>
                  </li>
                ) : null}
                {fields.map((field) => (
                  <li key={field.filter} className={styles.leaf}>
                    <Code>{field.filter}</Code> <AddField url={url} field={field} {...choice} />
                  </li>
                ))}
              </>
            )}
          </OpenBranch>
        ))
      }
    </OpenBranch>
  );
}
