import { expect, it } from 'vitest';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { branchesOf, canPutBelow, linesOf, TOP, type Branch } from './tree.ts';

function node(id: number, name: string, parent_id: number | null, children_count = 0, level = 1): CompanyNode {
  const counts = { devices_count: 0, devices_below: 0, users_count: 0, users_below: 0 };
  return { id, name, level, parent_id, children_count, is_match: true, ...counts };
}
const branch = (nodes: CompanyNode[], total = nodes.length): Branch => ({ nodes, total, isLoading: false });
const top = node(1, 'Fjordline', null, 3);
const vest = node(2, 'Vest', 1, 1, 2);
const bergen = node(3, 'Bergen', 2, 0, 3);

it('shows what is below open companies only, with its place among its siblings', () => {
  const branches = new Map([
    [TOP, branch([top])],
    [1, branch([vest, node(4, 'Øst', 1, 0, 2)])],
    [2, branch([bergen])],
  ]);
  const shown = linesOf(branches, (id) => id === 1);
  expect(
    shown.map((line) => (line.kind === 'company' ? [line.node.name, line.depth, line.isOpen, line.position, line.size] : line)),
  ).toEqual([
    ['Fjordline', 1, true, 1, 1],
    ['Vest', 2, false, 1, 2],
    ['Øst', 2, false, 2, 2],
  ]);
});

it('ends a branch that is not loaded to its end with a line for the rest', () => {
  const lines = linesOf(new Map([[TOP, branch([top], 4100)]]), () => false);
  expect(lines.at(-1)).toMatchObject({ kind: 'more', parentId: TOP, left: 4099 });
});

it('puts what a search found below the companies that came along with it', () => {
  const branches = branchesOf([bergen, top, vest]);
  const lines = linesOf(branches, () => true);
  expect(lines.map((line) => line.kind === 'company' && line.node.name)).toEqual(['Fjordline', 'Vest', 'Bergen']);
});

it('offers as a new parent neither the present one, nor the company itself or one below it, nor one of the third level', () => {
  const parents = new Map([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 1],
  ]);
  const parentOf = (id: number) => parents.get(id) ?? null;
  const other = node(4, 'Øst', 1, 0, 2);
  expect(canPutBelow(vest, top, parentOf)).toBe(false);
  expect(canPutBelow(vest, vest, parentOf)).toBe(false);
  expect(canPutBelow(top, vest, parentOf)).toBe(false);
  expect(canPutBelow(other, bergen, parentOf)).toBe(false);
  expect(canPutBelow(other, vest, parentOf)).toBe(true);
});
