import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { isOpenKey, type FilterValue, type ListFilter } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { joinValues, splitValues } from '../../../schemas/kit/text/value-list.ts';
export interface SortKey {
  readonly key: string;
  readonly desc: boolean;
}

/** Everything that decides which rows a list shows, and in which order. All of it lives in the address (docs/checks.md T1). */
export interface ListState {
  readonly q: string;
  readonly filters: readonly ListFilter[];
  readonly sort: readonly SortKey[];
  /** Counted from 1. */
  readonly page: number;
  readonly size: number;
  readonly view: string | undefined;
  readonly tab: string | undefined;
}

/** The page sizes that a user may choose. */
export const PAGE_SIZES: readonly number[] = [10, 25, 50, 100];
const DEFAULT_PAGE_SIZE = 50;
const OWN_PARAMETERS: readonly string[] = ['q', 'sort', 'page', 'size', 'view', 'tab'];
const NEGATION = 'ne:'; // docs/behaviour.md section 7: a negated filter is written `ne:<name>`

/** The state of a list whose address says nothing. */
export function defaultListState(resource: Resource): ListState {
  return {
    q: '',
    filters: [],
    sort: defaultSort(resource),
    page: 1,
    size: defaultSize(resource),
    view: undefined,
    tab: undefined,
  };
}

/** The list state that an address stands for. Numbers and booleans come back as such; what the resource does not know is ignored. */
export function readListState(params: URLSearchParams, resource: Resource): ListState {
  const sortable = new Set(resource.table?.columns.filter((column) => column.sortable).map((column) => column.key));
  const sort = (params.get('sort') ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part): SortKey => ({ key: part.replace(/^-/, ''), desc: part.startsWith('-') }))
    .filter(
      (part, index, all) =>
        (sortable.has(part.key) || isOpenKey(resource.name, part.key)) && all.findIndex((other) => other.key === part.key) === index,
    );
  const size = Number(params.get('size'));
  return {
    q: params.get('q') ?? '',
    filters: readFilters(params, resource),
    sort: sort.length > 0 ? sort : defaultSort(resource),
    page: /^[1-9]\d{0,8}$/.test(params.get('page') ?? '') ? Number(params.get('page')) : 1,
    size: PAGE_SIZES.includes(size) ? size : defaultSize(resource),
    view: params.get('view') || undefined,
    tab: params.get('tab') || undefined,
  };
}

/** The query string (without `?`) for a list state. What equals the default is left out; parameters of others in `params` stay as they are. */
export function writeListState(params: URLSearchParams, state: ListState, resource: Resource): string {
  const own = new Set([...OWN_PARAMETERS, ...filterEntries(resource).flatMap(({ key }) => [key, NEGATION + key])]);
  const written = new URLSearchParams();
  if (state.q !== '') written.set('q', state.q);
  for (const filter of state.filters) written.set(parameterName(filter), joinValues(filter.values));
  const sort = formatSort(state.sort);
  if (sort !== '' && sort !== formatSort(defaultSort(resource))) written.set('sort', sort);
  if (state.page !== 1) written.set('page', String(state.page));
  if (state.size !== defaultSize(resource)) written.set('size', String(state.size));
  if (state.view !== undefined) written.set('view', state.view);
  if (state.tab !== undefined) written.set('tab', state.tab);
  for (const [key, value] of params) if (!own.has(key) && !isOpenKey(resource.name, key)) written.append(key, value);
  // Both are legal in a query string, and an address with them bare is short enough to read.
  return written.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** The query of the API's list call for these rows, without paging and order: what an export or a "select all" names as well. */
export function filterQuery(state: ListState): Record<string, string> {
  const query: Record<string, string> = {};
  if (state.q.trim() !== '') query['q'] = state.q.trim();
  for (const filter of state.filters) query[parameterName(filter)] = joinValues(filter.values);
  return query;
}

/** The whole query of the API's list call: filters, order and page. */
export function listQuery(state: ListState): Record<string, string> {
  const sort = formatSort(state.sort);
  return {
    ...filterQuery(state),
    ...(sort === '' ? {} : { sort }),
    limit: String(state.size),
    offset: String((state.page - 1) * state.size),
  };
}

/** Puts a filter in the place of the same one, or at the end; an empty value list takes it away. Goes back to the first page. */
export function withFilter(state: ListState, filter: ListFilter): ListState {
  const isSame = (other: ListFilter) => other.key === filter.key && other.negated === filter.negated;
  const filters =
    filter.values.length === 0
      ? state.filters.filter((other) => !isSame(other))
      : state.filters.some(isSame)
        ? state.filters.map((other) => (isSame(other) ? filter : other))
        : [...state.filters, filter];
  return { ...state, filters, page: 1 };
}

/** Takes away every filter and the search text. */
export function withoutFilters(state: ListState): ListState {
  return { ...state, q: '', filters: [], page: 1 };
}

/** Whether anything narrows the list down. */
export function isFiltered(state: ListState): boolean {
  return state.q.trim() !== '' || state.filters.length > 0;
}

function readFilters(params: URLSearchParams, resource: Resource): ListFilter[] {
  const entries = new Map(filterEntries(resource).map((entry) => [entry.key, entry]));
  const filters = new Map<string, ListFilter>();
  for (const [name, text] of params) {
    const negated = name.startsWith(NEGATION);
    if (!filters.has(name) && isOpenKey(resource.name, name)) filters.set(name, { key: name, negated: false, values: openValues(text) });
    const entry = entries.get(negated ? name.slice(NEGATION.length) : name);
    if (!entry || filters.has(name) || (negated && !isNegatable(entry))) continue;
    const values = parseValues(entry, text);
    if (values.length > 0) filters.set(name, { key: entry.key, negated, values });
  }
  return [...filters.values()];
}

/** Values of a filter whose kind is only known later. */
function openValues(text: string): FilterValue[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  return [...new Set(splitValues(text))];
}

function parseValues(entry: FilterEntry, text: string): FilterValue[] {
  if (entry.kind === 'text' || entry.kind === 'date') return splitValues(text);
  if (entry.kind === 'boolean') return text === 'true' ? [true] : text === 'false' ? [false] : [];
  const parts = [...new Set(splitValues(text))];
  if (entry.kind === 'enum') return parts.flatMap((part) => entry.values.filter((value) => String(value) === part).slice(0, 1));
  const values = parts.map((part) => (/^(0|[1-9]\d{0,15})$/.test(part) && Number.isSafeInteger(Number(part)) ? Number(part) : part));
  return entry.multiple ? values : values.slice(0, 1);
}

/** Whether a filter may be turned into "is not". */
export function isNegatable(entry: FilterEntry): boolean {
  return 'negatable' in entry && entry.negatable === true;
}

function filterEntries(resource: Resource): readonly FilterEntry[] {
  return resource.table?.filters ?? [];
}
function parameterName(filter: ListFilter): string {
  return (filter.negated ? NEGATION : '') + filter.key;
}
function formatSort(sort: readonly SortKey[]): string {
  return sort.map(({ key, desc }) => (desc ? `-${key}` : key)).join(',');
}
function defaultSort(resource: Resource): SortKey[] {
  const sort = resource.table?.defaultSort;
  return sort ? [{ key: sort.key, desc: sort.order === 'desc' }] : [];
}
function defaultSize(resource: Resource): number {
  return resource.table?.pageSize ?? DEFAULT_PAGE_SIZE;
}
