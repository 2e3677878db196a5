import { dataProvider } from '../../engine/data/data-provider.ts';
import type { SearchGroup } from '../../engine/resources/derive.ts';
import { recordPath, recordTitle, type Resource, type Row } from '../../engine/resources/resource.ts';
import { readLocal, writeLocal } from '../../kernel/local.ts';

// docs/behaviour.md section 9: 10 results in a group.
export const GROUP_LIMIT = 10;

const KINDS = 'search_kinds_off';

/** The kinds of record that this browser leaves out of searches. */
export function readKindsOff(): readonly string[] {
  return (readLocal(KINDS) ?? '').split(',').filter(Boolean);
}

/** Keeps which kinds are left out. */
export function keepKindsOff(names: readonly string[]): void {
  writeLocal(KINDS, names.join(',') || undefined);
}

export interface SearchHit {
  /** Unique on the page. */
  id: string;
  recordId: number;
  title: string;
  /** What else it matched by: serial, e-mail … */
  detail: string;
  path: string;
  /** The record, as far as it was asked for. */
  row: Row;
}
/** The id of the button that shows what can be done with a hit. */
export const actionsId = (hitId: string): string => `${hitId}-actions`;

export interface SearchResult {
  resource: Resource;
  hits: readonly SearchHit[];
  total: number;
  /** This kind could not be searched; the others are shown. */
  error?: unknown;
}

/** Searches each kind at once, at most ten records of each; a kind that fails does not take the others with it. */
export function searchAll(groups: readonly SearchGroup[], text: string, signal: AbortSignal): Promise<SearchResult[]> {
  return Promise.all(
    groups.map(async ({ resource, fields }): Promise<SearchResult> => {
      try {
        const wanted = [...new Set(['id', resource.titleField, ...fields, ...(resource.search?.marks ?? [])])];
        const { data, total } = await dataProvider.getList<Row>({
          resource: resource.name,
          pagination: { currentPage: 1, pageSize: GROUP_LIMIT },
          filters: [{ field: 'q', operator: 'eq', value: text }],
          meta: { query: { fields: wanted }, signal, survivesRouteChange: true },
        });
        return { resource, hits: data.map((row) => toHit(resource, fields, row)), total };
      } catch (error) {
        signal.throwIfAborted();
        return { resource, hits: [], total: 0, error };
      }
    }),
  );
}

function toHit(resource: Resource, fields: readonly string[], row: Row): SearchHit {
  const title = recordTitle(resource, row);
  const details = fields.filter((field) => field !== resource.titleField).map((field) => row[field]);
  return {
    id: `${resource.name}-${row.id}`,
    recordId: row.id,
    title,
    detail: details.filter((value) => typeof value === 'string' && value !== '' && value !== title).join(' · '),
    path: recordPath(resource, row) ?? `${resource.routes.list ?? '/'}?q=${encodeURIComponent(title)}`,
    row,
  };
}
