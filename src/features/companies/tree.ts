import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { compareTexts } from '../../../schemas/kit/text/text-order.ts';

/** How many companies are loaded at once below one. */
export const PAGE = 100;
/** Stands for "below nothing" where a parent is asked for. */
export const TOP = 0;

/** What is known of the companies below one: those that are loaded, and how many there are. */
export interface Branch {
  nodes: readonly CompanyNode[];
  total: number;
  isLoading: boolean;
}

/** One visible line of the tree, in order. `position` and `size` say where it is among its siblings, for screen readers. */
export type TreeLine =
  | { kind: 'company'; key: string; depth: number; node: CompanyNode; isOpen: boolean; position: number; size: number }
  | { kind: 'more'; key: string; depth: number; parentId: number; left: number }
  | { kind: 'loading'; key: string; depth: number };

/** The lines in sight: what is below open companies, as far as it is loaded, and a line for the rest of it. */
export function linesOf(branches: ReadonlyMap<number, Branch>, isOpen: (id: number) => boolean, parentId = TOP, depth = 1): TreeLine[] {
  const branch = branches.get(parentId);
  if (!branch) return [];
  const { nodes, total, isLoading } = branch;
  const lines = nodes.flatMap((node, index): TreeLine[] => {
    const open = node.children_count > 0 && isOpen(node.id);
    const line: TreeLine = { kind: 'company', key: String(node.id), depth, node, isOpen: open, position: index + 1, size: total };
    return [line, ...(open ? linesOf(branches, isOpen, node.id, depth + 1) : [])];
  });
  if (isLoading) lines.push({ kind: 'loading', key: `loading-${parentId}`, depth });
  else if (nodes.length < total) lines.push({ kind: 'more', key: `more-${parentId}`, depth, parentId, left: total - nodes.length });
  return lines;
}

/** What a search found, as branches: each company below the one above it that came along, the rest at the top. */
export function branchesOf(nodes: readonly CompanyNode[]): Map<number, Branch> {
  const known = new Set(nodes.map((node) => node.id));
  const groups = Map.groupBy(nodes, (node) => (node.parent_id !== null && known.has(node.parent_id) ? node.parent_id : TOP));
  return new Map(
    [...groups].map(([parentId, group]) => {
      const sorted = group.toSorted((a, b) => compareTexts(a.name, b.name));
      return [parentId, { nodes: sorted, total: sorted.length, isLoading: false }];
    }),
  );
}

const DEEPEST_PARENT = 2;

/** Whether a company can be put below another, as far as the tree on screen knows: the server has the last word on how deep it becomes. */
export function canPutBelow(source: CompanyNode, target: CompanyNode, parentOf: (id: number) => number | null): boolean {
  if (target.level > DEEPEST_PARENT || source.parent_id === target.id) return false;
  for (let id: number | null = target.id; id !== null; id = parentOf(id)) if (id === source.id) return false;
  return true;
}
