import type { MouseEvent } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { cx, findIconName, Icon, PressArea, Spinner } from '../../ui/index.ts';
import styles from './GlobalSearch.module.css';
import { GroupHeading } from './GroupHeading.tsx';
import type { SearchResult } from './search.ts';
import type { SearchState } from './use-search.ts';

interface SearchPanelProps {
  search: SearchState;
  kinds: readonly { name: string; isOn: boolean }[];
  /** The hit that the arrow keys are on. */
  chosen: string | undefined;
  onKind(name: string): void;
  onGo(path: string, isNewTab: boolean): void;
}

/** What was found, by kind, and which kinds are searched. */
export function SearchPanel({ search, kinds, chosen, onKind, onGo }: SearchPanelProps) {
  const t = useT();
  const results = search.state === 'found' ? search.results : [];
  const count = results.reduce((sum, result) => sum + result.hits.length, 0);
  return (
    <div className={styles.panel}>
      <div role="group" aria-label={t('search.kinds')} className={styles.kinds}>
        {kinds.map(({ name, isOn }) => (
          <PressArea key={name} isPressed={isOn} className={styles.kind} onClick={() => onKind(name)}>
            {isOn ? <Icon name="check" size={12} /> : null}
            {t(`resources.${name}.title`)}
          </PressArea>
        ))}
      </div>
      <div aria-live="polite" className="visually-hidden">
        {search.state === 'found' ? t('search.found', { count }) : ''}
      </div>
      <PanelNote search={search} isNoKind={kinds.every((kind) => !kind.isOn)} count={count} />
      <div id="search-results" role="listbox" aria-label={t('search.results')} className={styles.results}>
        {results.map((result) => (
          <ResultGroup key={result.resource.name} result={result} chosen={chosen} onGo={onGo} />
        ))}
      </div>
    </div>
  );
}

function PanelNote({ search, isNoKind, count }: { search: SearchState; isNoKind: boolean; count: number }) {
  const t = useT();
  if (isNoKind) return <p className={styles.note}>{t('search.noKinds')}</p>;
  if (search.state === 'idle') return <p className={styles.note}>{t('search.start')}</p>;
  if (search.state === 'waiting') {
    return (
      <p className={styles.note}>
        <Spinner size={14} label={t('search.searching')} />
      </p>
    );
  }
  const isAnyFailed = search.results.some((result) => result.error !== undefined);
  return count === 0 && !isAnyFailed ? <p className={styles.note}>{t('search.nothing')}</p> : null;
}

interface ResultGroupProps {
  result: SearchResult;
  chosen: string | undefined;
  onGo(path: string, isNewTab: boolean): void;
}

function ResultGroup({ result, chosen, onGo }: ResultGroupProps) {
  const t = useT();
  const { resource, hits, total, error } = result;
  if (hits.length === 0 && error === undefined) return null;
  const headingId = `search-${resource.name}`;
  const handleClick = (event: MouseEvent, path: string) => {
    event.preventDefault();
    onGo(path, event.metaKey || event.ctrlKey);
  };
  return (
    <div role="group" aria-labelledby={headingId}>
      <GroupHeading id={headingId} title={t(`resources.${resource.name}.title`)} icon={findIconName(resource.menu?.icon)} total={total} />
      {error === undefined ? null : (
        <div role="option" aria-disabled="true" aria-selected="false" className={styles.failed}>
          {failureMessage(error, { fallback: t('search.failed') })}
        </div>
      )}
      {hits.map((hit) => (
        <a
          key={hit.id}
          id={hit.id}
          href={hit.path}
          role="option"
          aria-selected={hit.id === chosen}
          tabIndex={-1}
          className={cx(styles.hit, hit.id === chosen && styles.chosen)}
          onClick={(event) => handleClick(event, hit.path)}
        >
          <span className={styles.title}>{hit.title}</span>
          {hit.detail ? <span className={styles.detail}>{hit.detail}</span> : null}
        </a>
      ))}
    </div>
  );
}
