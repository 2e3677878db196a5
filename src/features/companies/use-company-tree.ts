import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { branchesOf, linesOf, PAGE, TOP, type Branch, type TreeLine } from './tree.ts';

const KEY = ['companies', 'tree'] as const;
const MAX_FOUND = 100;

interface Loaded {
  nodes: CompanyNode[];
  total: number;
}

async function load(query: Record<string, string | number>): Promise<Loaded> {
  const { data, meta } = await dataProvider.custom<CompanyNode[]>({ url: '/companies/tree', method: 'get', query });
  return { nodes: data, total: meta.total ?? data.length };
}

export interface CompanyTree {
  lines: TreeLine[];
  /** Companies at the top, or found by the search. */
  total: number | undefined;
  error: Error | null;
  isFirstLoad: boolean;
  parentOf(id: number): number | null;
  setOpen(id: number, isOpen: boolean): void;
  loadMore(parentId: number): void;
  reload(): void;
}

/** The tree, loaded branch by branch as it is opened; with a search text what matches, with all above it. */
export function useCompanyTree(search: string): CompanyTree {
  const client = useQueryClient();
  const user = useUser();
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [pages, setPages] = useState<ReadonlyMap<number, number>>(new Map());
  const found = useQuery({
    queryKey: [...KEY, 'search', search],
    queryFn: () => load({ q: search, limit: MAX_FOUND }),
    enabled: search !== '',
    placeholderData: (previous) => previous,
  });
  const first = useQuery({ queryKey: [...KEY, TOP, 0], queryFn: () => load({ limit: PAGE }) });
  const sole = first.data?.total === 1 ? first.data.nodes[0]?.id : undefined;
  const isOpen = (id: number) => search !== '' || toggled.has(id) !== (id === sole);
  const open = [...new Set([...toggled, ...(sole === undefined ? [] : [sole])])].filter(isOpen);
  const wanted = [TOP, ...open].flatMap((parent) => Array.from({ length: pages.get(parent) ?? 1 }, (_, page) => ({ parent, page })));
  const results = useQueries({
    queries: wanted.map(({ parent, page }) => ({
      queryKey: [...KEY, parent, page],
      queryFn: () => load({ limit: PAGE, offset: page * PAGE, ...(parent === TOP ? {} : { parent_id: parent }) }),
    })),
  });
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: KEY }), [client]);
  useEffect(
    () =>
      live.follow(`companies.${user.company_id}.companies`, {
        onEvent: reload,
      }),
    [user.company_id, reload],
  );

  const branches = new Map<number, Branch>();
  wanted.forEach(({ parent }, index) => {
    const data = results[index]?.data;
    const before = branches.get(parent);
    branches.set(parent, {
      nodes: [...(before?.nodes ?? []), ...(data?.nodes ?? [])],
      total: data?.total ?? before?.total ?? 0,
      isLoading: before?.isLoading === true || data === undefined,
    });
  });
  const shown = search === '' ? branches : branchesOf(found.data?.nodes ?? []);
  const nodes = new Map([...shown.values()].flatMap((branch) => branch.nodes).map((node) => [node.id, node]));
  const asked = search === '' ? first : found;
  return {
    lines: linesOf(shown, isOpen),
    total: asked.data?.total,
    error: asked.error ?? results.find((result) => result.error)?.error ?? null,
    isFirstLoad: asked.data === undefined && !asked.error,
    parentOf: (id) => nodes.get(id)?.parent_id ?? null,
    setOpen: (id, wantsOpen) => {
      const next = new Set(toggled);
      if (wantsOpen !== (id === sole)) next.add(id);
      else next.delete(id);
      setToggled(next);
    },
    loadMore: (parentId) => setPages(new Map(pages).set(parentId, (pages.get(parentId) ?? 1) + 1)),
    reload,
  };
}
