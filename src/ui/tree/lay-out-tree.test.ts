import { expect, test } from 'vitest';
import { layOutTree, type TreeItem } from './lay-out-tree.ts';

const item = (id: string, parent: string | null): TreeItem => ({ id, parent });
const spots = (items: TreeItem[]) =>
  Object.fromEntries(layOutTree(items).placed.map(({ item: { id }, column, row }) => [id, [column, row]]));

test('an item stands one column after its parent, beside the first of what is below it', () => {
  const placed = spots([item('router', null), item('a', 'router'), item('b', 'router'), item('a1', 'a'), item('a2', 'a')]);
  expect(placed).toEqual({ router: [0, 0], a: [1, 0], a1: [2, 0], a2: [2, 1], b: [1, 2] });
});

test('many that have nothing below them stand side by side', () => {
  const { columns, rows } = layOutTree([item('port', null), ...Array.from({ length: 25 }, (_, index) => item(`h${index}`, 'port'))]);
  expect({ columns, rows }).toEqual({ columns: 4, rows: 9 });
});

test('no two items stand at the same place, and none is lost, also when items are below each other or below nothing known', () => {
  const items = [item('a', 'b'), item('b', 'a'), item('lost', 'nobody'), item('top', null), item('top', null)];
  expect(layOutTree(items).placed.map(({ item: { id } }) => id)).toEqual(['lost', 'top', 'top']);
  const many = Array.from({ length: 500 }, (_, index) => item(`n${index}`, index === 0 ? null : `n${Math.floor((index - 1) / 6)}`));
  const { placed } = layOutTree(many);
  expect(new Set(placed.map(({ column, row }) => `${column}/${row}`)).size).toBe(500);
});

test('500 items are laid out in less than a second', () => {
  const many = Array.from({ length: 500 }, (_, index) => item(`n${index}`, index === 0 ? null : `n${Math.floor((index - 1) / 24)}`));
  const start = performance.now();
  expect(layOutTree(many).placed).toHaveLength(500);
  expect(performance.now() - start).toBeLessThan(1000);
});
