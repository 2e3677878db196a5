import type { Company } from '../../../schemas/_generated/contract.ts';

export interface TreeNode {
  company: Company;
  children: TreeNode[];
  /** Devices of this company and all below it. */
  devicesBelow: number;
}

/** The tree of a flat list, children by name. A company whose parent is not in the list is a root: the viewer's own company is one. */
export function buildTree(companies: readonly Company[], compare: (a: string, b: string) => number): TreeNode[] {
  const nodes = new Map(
    companies.map((company): [number, TreeNode] => [company.id, { company, children: [], devicesBelow: company.devices_count }]),
  );
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.company.parent_id === null ? undefined : nodes.get(node.company.parent_id);
    (parent?.children ?? roots).push(node);
  }
  const finish = (node: TreeNode): number => {
    node.children.sort((a, b) => compare(a.company.name, b.company.name));
    node.devicesBelow = node.company.devices_count + node.children.reduce((sum, child) => sum + finish(child), 0);
    return node.devicesBelow;
  };
  for (const root of roots) finish(root);
  return roots.sort((a, b) => compare(a.company.name, b.company.name));
}

/** The part of a tree that a search leaves: nodes whose name holds the text, and all above them. */
export function filterTree(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    const children = filterTree(node.children, wanted);
    if (children.length === 0 && !node.company.name.toLocaleLowerCase().includes(wanted)) return [];
    return [{ ...node, children }];
  });
}

/** One visible line of the tree, in order. */
export interface TreeLine {
  node: TreeNode;
  depth: number;
  isOpen: boolean;
}

/** The lines that are in sight: children only of open nodes. */
export function visibleLines(nodes: readonly TreeNode[], isOpen: (id: number) => boolean, depth = 1): TreeLine[] {
  return nodes.flatMap((node) => {
    const open = node.children.length > 0 && isOpen(node.company.id);
    return [{ node, depth, isOpen: open }, ...(open ? visibleLines(node.children, isOpen, depth + 1) : [])];
  });
}
