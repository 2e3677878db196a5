import { lazy, Suspense, useRef, useState } from 'react';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { Button, FilterChip, FilterGroup, FilterSearch, Menu, Panel, Popover, ToolText } from '../../ui/index.ts';
import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { FilterValueText } from './FilterValueText.tsx';
import { columnLabel, fieldLabel } from './labels.ts';
import { isFiltered, withFilter, withoutFilters } from './list-state.ts';
import type { ListState } from './list-state.ts';
import type { ListFilter } from '../resources/registry.ts';
import type { ChangeListState } from './use-list-state.ts';
import { useMoreFilters } from './use-made-fields.ts';

const FilterEditor = lazy(() => import('./FilterEditor.tsx'));

export interface FilterBarProps {
  resource: Resource;
  state: ListState;
  onChange: ChangeListState;
}

/** Search text, a chip per filter and the way to more of them. The first filter with fixed values is always offered. */
export function FilterBar({ resource, state, onChange }: FilterBarProps) {
  const t = useT();
  const { more, offer } = useMoreFilters(
    resource.name,
    state.filters.map(({ key }) => key),
  );
  const entries = [...(resource.table?.filters ?? []), ...more];
  const offered = entries.find((entry) => entry.kind === 'enum');
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const hint = `table.searchHint.${resource.name}`;
  const searchLabel = hasText(hint)
    ? t(hint)
    : (resource.search?.fields.map((field) => fieldLabel(resource, field)).join(', ') ?? t('table.search'));
  const isUsed = (key: string) => state.filters.some((filter) => filter.key === key);
  const empty = [offered?.key, draft].filter((key): key is string => key !== undefined && !isUsed(key));
  const chips = [...state.filters, ...[...new Set(empty)].map((key): ListFilter => ({ key, negated: false, values: [] }))].toSorted(
    (a, b) => Number(b.key === offered?.key) - Number(a.key === offered?.key),
  );
  const others = entries.filter((entry) => !chips.some((filter) => filter.key === entry.key));

  return (
    <FilterGroup label={t('table.filters')}>
      {resource.search || resource.table?.isSearchable ? (
        <FilterSearch label={searchLabel} value={state.q} onChange={(q) => onChange({ ...state, q, page: 1 }, { replace: true })} />
      ) : null}
      {chips.map((filter, index) => {
        const entry = entries.find((candidate) => candidate.key === filter.key);
        const twin = chips.findIndex((other) => other.key === filter.key) === index ? 0 : 1;
        return entry ? (
          <Chip
            // Not by its sense or its values: its editor stays open while they change.
            key={`${filter.key} ${twin}`}
            resource={resource}
            entry={entry}
            filter={filter}
            isOpenAtFirst={draft === filter.key}
            onSet={(next) => onChange(replaceFilter(state, filter, next))}
            onClose={() => setDraft(undefined)}
          />
        ) : null;
      })}
      {others.length > 0 ? (
        <Menu
          label={t('table.addFilter')}
          placement="bottom-start"
          entries={others.map((entry) => ({ id: entry.key, label: columnLabel(resource, entry), onSelect: () => setDraft(entry.key) }))}
        >
          <Button icon="plus" aria-label={t('table.filter')} onPointerEnter={offer} onFocus={offer}>
            <ToolText>{t('table.filter')}</ToolText>
          </Button>
        </Menu>
      ) : null}
      {isFiltered(state) ? (
        <Button variant="link" onClick={() => onChange(withoutFilters(state))}>
          {t('table.clearAll')}
        </Button>
      ) : null}
    </FilterGroup>
  );
}

interface ChipProps {
  resource: Resource;
  entry: FilterEntry;
  filter: ListFilter;
  isOpenAtFirst: boolean;
  onSet: (filter: ListFilter) => void;
  onClose: () => void;
}

function Chip({ resource, entry, filter, isOpenAtFirst, onSet, onClose }: ChipProps) {
  const t = useT();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const label = columnLabel(resource, entry);
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <>
      <FilterChip
        ref={anchor}
        label={label}
        value={<FilterValueText resource={resource} entry={entry} filter={filter} />}
        isEmpty={filter.values.length === 0}
        removeLabel={t('table.removeFilter', { name: label })}
        isOpen={isOpen}
        onOpen={() => (isOpen ? close() : setOpen(true))}
        onRemove={() => onSet({ ...filter, values: [] })}
      />
      <Popover anchor={anchor} isOpen={isOpen} label={t('table.editFilter', { name: label })} onClose={close}>
        <Suspense fallback={<Panel isBusy>{null}</Panel>}>
          <FilterEditor resource={resource} entry={entry} filter={filter} onSet={onSet} onClose={close} />
        </Suspense>
      </Popover>
    </>
  );
}

/** Puts a filter in the place of the one that was edited, also when its sense was turned around. */
function replaceFilter(state: ListState, before: ListFilter, next: ListFilter): ListState {
  if (!state.filters.includes(before)) return withFilter(state, next);
  const others = state.filters.filter((filter) => filter === before || filter.key !== next.key || filter.negated !== next.negated);
  const filters = others.flatMap((filter) => (filter === before ? (next.values.length > 0 ? [next] : []) : [filter]));
  return { ...state, filters, page: 1 };
}
