import type { MouseEvent } from 'react';
import { actionsAt } from '../../engine/actions/applicability.ts';
import { useWithAddedForms } from '../../engine/form/added-form-entries.ts';
import type { Resource } from '../../engine/resources/resource.ts';
import { CellContent } from '../../engine/table/CellContent.tsx';
import { actionLabel } from '../../engine/table/labels.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { cx, findIconName, Icon, IconButton, Menu, PressArea, Spinner, type MenuEntry } from '../../ui/index.ts';
import { runOnRecord } from '../palette/run-on-record.ts';
import styles from './GlobalSearch.module.css';
import { GroupHeading } from './GroupHeading.tsx';
import { actionsId, type SearchHit, type SearchResult } from './search.ts';
import type { SearchState } from './use-search.ts';

interface SearchPanelProps {
  search: SearchState;
  kinds: readonly { name: string; isOn: boolean }[];
  /** The hit that the arrow keys are on. */
  chosen: string | undefined;
  onKind(name: string): void;
  onGo(path: string, isNewTab: boolean): void;
  /** The focus comes back to the box from the menu of a hit. */
  onReturn(): void;
  /** Something is being done to a hit. */
  onDone(): void;
}

/** What was found, by kind, and which kinds are searched. */
export function SearchPanel({ search, kinds, chosen, onKind, ...forHits }: SearchPanelProps) {
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
          <ResultGroup key={result.resource.name} result={result} chosen={chosen} {...forHits} />
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

interface ResultGroupProps extends Pick<SearchPanelProps, 'chosen' | 'onGo' | 'onReturn' | 'onDone'> {
  result: SearchResult;
}

function ResultGroup({ result, chosen, onGo, ...forActions }: ResultGroupProps) {
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
        <div key={hit.id} role="presentation" className={cx(styles.line, hit.id === chosen && styles.chosen)}>
          <a
            id={hit.id}
            href={hit.path}
            role="option"
            aria-selected={hit.id === chosen}
            tabIndex={-1}
            className={styles.hit}
            onClick={(event) => handleClick(event, hit.path)}
          >
            <HitColor hit={hit} />
            <span className={styles.title}>{hit.title}</span>
            <HitMarks hit={hit} resource={resource} />
            {hit.detail ? <span className={styles.detail}>{hit.detail}</span> : null}
          </a>
          <HitActions hit={hit} resource={resource} {...forActions} />
        </div>
      ))}
    </div>
  );
}

interface HitPartProps {
  hit: SearchHit;
  resource: Resource;
}

/** The colour of a tag. */
function HitColor({ hit }: { hit: SearchHit }) {
  const color = hit.row['color'];
  return typeof color === 'string' ? <span className={styles.color} style={{ background: color }} aria-hidden="true" /> : null;
}

/** State, protocol and the like, as the kind's list shows them. */
function HitMarks({ hit, resource }: HitPartProps) {
  const columns = resource.search?.marks?.flatMap((key) => resource.table?.columns.find((column) => column.key === key) ?? []) ?? [];
  return columns.map((column) => (
    <span key={column.key} className={styles.mark}>
      <CellContent column={column} row={hit.row} resource={resource} link={(content) => content} />
    </span>
  ));
}

/** What can be done with a hit, without going to it. A list of options has no room for buttons: for keys and screen readers Alt+Enter opens the same menu. */
function HitActions({ hit, resource: plain, onReturn, onDone }: HitPartProps & Pick<SearchPanelProps, 'onReturn' | 'onDone'>) {
  const t = useT();
  const can = useCan();
  const resource = useWithAddedForms(plain);
  const actions = actionsAt(resource, 'row', can).filter(
    (action) => action.kind !== 'link' || !action.to.replaceAll('{id}', '').includes('{'),
  );
  if (actions.length === 0) return null;
  const label = t('table.rowActions', { name: hit.title });
  const entries = () =>
    actions.map((action, index): MenuEntry => {
      const isFirstDanger = action.danger === true && index > 0 && actions[index - 1]?.danger !== true;
      return {
        id: action.id,
        label: actionLabel(action),
        icon: findIconName(action.icon),
        isDanger: action.danger ?? false,
        hasDivider: isFirstDanger,
        ...(action.kind === 'link'
          ? { to: action.to.replaceAll('{id}', String(hit.recordId)) }
          : {
              onSelect() {
                onDone();
                void runOnRecord({ action, resource }, hit.recordId);
              },
            }),
      };
    });
  return (
    <span aria-hidden="true" className={styles.actions}>
      <Menu label={label} entries={entries}>
        <IconButton id={actionsId(hit.id)} icon="ellipsis" label={label} size="small" tabIndex={-1} onFocus={onReturn} />
      </Menu>
    </span>
  );
}
