import { lazy, Suspense, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { FilterChip } from '../../ui/table/FilterChip.tsx';
import styles from '../../ui/table/ListPage.module.css';
import type { FilterEntry } from '../../../schemas/kit/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { FilterValueText } from './FilterValueText.tsx';
import { fieldLabel } from './labels.ts';
import { isFiltered, withFilter, withoutFilters } from './list-state.ts';
import type { ListFilter, ListState } from './list-state.ts';
import type { ChangeListState } from './use-list-state.ts';

const FilterEditor = lazy(() => import('./FilterEditor.tsx'));

export interface FilterBarProps {
  resource: Resource;
  state: ListState;
  onChange: ChangeListState;
}

/** Search text, a chip per filter and the way to more of them. The first filter with fixed values is always offered. */
export function FilterBar({ resource, state, onChange }: FilterBarProps) {
  const t = useT();
  const entries = resource.table?.filters ?? [];
  const offered = entries.find((entry) => entry.kind === 'enum');
  const [draft, setDraft] = useState<{ key: string; negated: boolean } | undefined>(undefined);
  const addButton = useRef<HTMLButtonElement>(null);
  const isOffering = offered !== undefined && !state.filters.some((filter) => filter.key === offered.key);
  const searchLabel = resource.search?.fields.map((field) => fieldLabel(resource, field)).join(', ') ?? t('table.search');
  const draftEntry = entries.find((entry) => entry.key === draft?.key);
  const set = (filter: ListFilter) => onChange(withFilter(state, filter));

  return (
    <div className={styles.filters} role="group" aria-label={t('table.filters')}>
      <SearchInput
        className={styles.search}
        label={searchLabel}
        value={state.q}
        onChange={(q) => onChange({ ...state, q, page: 1 }, { replace: true })}
      />
      {isOffering ? (
        <Chip resource={resource} entry={offered} filter={{ key: offered.key, negated: false, values: [] }} onSet={set} />
      ) : null}
      {state.filters.map((filter) => {
        const entry = entries.find((candidate) => candidate.key === filter.key);
        return entry ? (
          <Chip
            key={`${filter.negated ? 'ne:' : ''}${filter.key}`}
            resource={resource}
            entry={entry}
            filter={filter}
            onSet={(next) => onChange(replaceFilter(state, filter, next))}
          />
        ) : null;
      })}
      {entries.length > (offered ? 1 : 0) ? (
        <Menu
          label={t('table.addFilter')}
          placement="bottom-start"
          entries={entries
            .filter((entry) => !(isOffering && entry.key === offered.key) && !state.filters.some((filter) => filter.key === entry.key))
            .map((entry) => ({
              id: entry.key,
              label: fieldLabel(resource, entry.key),
              onSelect: () => setDraft({ key: entry.key, negated: false }),
            }))}
        >
          <Button ref={addButton} icon="plus">
            {t('table.filter')}
          </Button>
        </Menu>
      ) : null}
      {isFiltered(state) ? (
        <Button variant="link" onClick={() => onChange(withoutFilters(state))}>
          {t('table.clearAll')}
        </Button>
      ) : null}
      {draft && draftEntry ? (
        <EditorPopover
          anchor={addButton}
          resource={resource}
          entry={draftEntry}
          filter={{ ...draft, values: [] }}
          onSet={(next) => {
            // The chip that now stands for it has an editor of its own; this one would be in its place twice.
            if (next.values.length > 0) setDraft(undefined);
            set(next);
          }}
          onClose={() => setDraft(undefined)}
        />
      ) : null}
    </div>
  );
}

interface EditorProps {
  resource: Resource;
  entry: FilterEntry;
  filter: ListFilter;
  onSet: (filter: ListFilter) => void;
}

function Chip({ resource, entry, filter, onSet }: EditorProps) {
  const t = useT();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const label = fieldLabel(resource, filter.key);
  return (
    <>
      <FilterChip
        ref={anchor}
        label={label}
        value={<FilterValueText resource={resource} entry={entry} filter={filter} />}
        isEmpty={filter.values.length === 0}
        removeLabel={t('table.removeFilter', { name: label })}
        isOpen={isOpen}
        onOpen={() => setOpen(!isOpen)}
        onRemove={() => onSet({ ...filter, values: [] })}
      />
      {isOpen ? (
        <EditorPopover anchor={anchor} resource={resource} entry={entry} filter={filter} onSet={onSet} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function EditorPopover({ anchor, onClose, ...editor }: EditorProps & { anchor: RefObject<HTMLButtonElement | null>; onClose: () => void }) {
  const t = useT();
  return (
    <Popover
      anchor={anchor}
      isOpen
      label={t('table.editFilter', { name: fieldLabel(editor.resource, editor.filter.key) })}
      onClose={onClose}
    >
      <Suspense fallback={<div className={styles.editor} aria-busy="true" />}>
        <FilterEditor {...editor} onClose={onClose} />
      </Suspense>
    </Popover>
  );
}

/** Puts a filter in the place of the one that was edited, also when its sense was turned around. */
function replaceFilter(state: ListState, before: ListFilter, next: ListFilter): ListState {
  const others = state.filters.filter((filter) => filter === before || filter.key !== next.key || filter.negated !== next.negated);
  const filters = others.flatMap((filter) => (filter === before ? (next.values.length > 0 ? [next] : []) : [filter]));
  return { ...state, filters, page: 1 };
}
