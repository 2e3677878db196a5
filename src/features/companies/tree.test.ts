import { expect, it } from 'vitest';
import type { Company } from '../../../schemas/_generated/contract.ts';
import { buildTree, filterTree, visibleLines } from './tree.ts';

function company(id: number, name: string, parent_id: number | null, devices_count = 0): Company {
  return {
    id,
    name,
    parent_id,
    parent_name: null,
    level: 1,
    users_count: 0,
    devices_count,
    can_use_parent_license: false,
    created_at: '2026-01-01 00:00:00',
    updated_at: '2026-01-01 00:00:00',
  };
}
const compare = (a: string, b: string) => a.localeCompare(b);
const companies = [company(3, 'Vest', 2, 5), company(2, 'Fjordline', 1, 1), company(4, 'Agder', 1, 2)];

it('takes a company whose parent the viewer cannot see for a root', () => {
  expect(buildTree(companies, compare).map((node) => node.company.name)).toEqual(['Agder', 'Fjordline']);
});

it('counts devices of a company and all below it', () => {
  expect(buildTree(companies, compare).map((node) => node.devicesBelow)).toEqual([2, 6]);
});

it('keeps the way down to what a search finds', () => {
  const [root] = filterTree(buildTree(companies, compare), 'vest');
  expect(root?.company.name).toBe('Fjordline');
  expect(root?.children.map((node) => node.company.name)).toEqual(['Vest']);
});

it('shows children of open companies only', () => {
  const lines = visibleLines(buildTree(companies, compare), (id) => id === 2);
  expect(lines.map((line) => [line.node.company.name, line.depth])).toEqual([
    ['Agder', 1],
    ['Fjordline', 1],
    ['Vest', 2],
  ]);
});
