import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { CompanyTree } from './CompanyTree.tsx';
import { canPutBelow, linesOf, TOP, type Branch } from './tree.ts';

beforeAll(() => startI18n());

function node(id: number, name: string, parent_id: number | null, level: number, children_count = 0): CompanyNode {
  return { id, name, level, parent_id, children_count, is_match: true, devices_count: 1, devices_below: 3, users_count: 0, users_below: 2 };
}
const branch = (nodes: CompanyNode[], total = nodes.length): Branch => ({ nodes, total, isLoading: false });
const branches = new Map([
  [TOP, branch([node(1, 'Fjordline', null, 1, 2)])],
  [1, branch([node(2, 'Vest', 1, 2, 1), node(3, 'Øst', 1, 2)], 240)],
  [2, branch([node(4, 'Bergen', 2, 3)])],
]);
const parentOf = (id: number) => [...branches.values()].flatMap((one) => one.nodes).find((one) => one.id === id)?.parent_id ?? null;

function openTree() {
  const puts: string[] = [];
  const more: number[] = [];
  function Page() {
    const [open, setOpen] = useState<ReadonlySet<number>>(new Set([1]));
    const [moving, setMoving] = useState<CompanyNode>();
    const toggle = (id: number, isOpen: boolean) => setOpen(new Set([...[...open].filter((one) => one !== id), ...(isOpen ? [id] : [])]));
    return (
      <CompanyTree
        lines={linesOf(branches, (id) => open.has(id))}
        moving={moving}
        canMove={(one) => one.level > 1}
        canPutBelow={(target) => moving !== undefined && canPutBelow(moving, target, parentOf)}
        menuOf={(one) => [{ id: 'rename', label: `Rename ${one.name}` }]}
        onOpenChange={toggle}
        onMore={(parent) => more.push(parent)}
        onMoving={setMoving}
        onPut={(target) => {
          puts.push(`${moving?.name} below ${target.name}`);
          setMoving(undefined);
        }}
      />
    );
  }
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  );
  return { puts, more, user: userEvent.setup() };
}

const names = () => screen.getAllByRole('treeitem').map((item) => item.getAttribute('aria-label')?.split(',')[0] ?? item.textContent);
const focused = () => document.activeElement?.getAttribute('aria-label')?.split(',')[0] ?? document.activeElement?.textContent;

test('one tab stop; arrows go over the lines, right opens, left closes and goes up, Home and End go to the ends', async () => {
  const { user } = openTree();
  await user.tab();
  expect(focused()).toBe('Fjordline');
  await user.keyboard('{ArrowDown}{ArrowRight}');
  expect(names()).toEqual(['Fjordline', 'Vest', 'Bergen', 'Øst', 'Show more (238 left)']);
  await user.keyboard('{ArrowRight}');
  expect(focused()).toBe('Bergen');
  await user.keyboard('{ArrowLeft}');
  expect(focused()).toBe('Vest');
  await user.keyboard('{ArrowLeft}');
  expect(names()).toEqual(['Fjordline', 'Vest', 'Øst', 'Show more (238 left)']);
  await user.keyboard('{End}');
  expect(focused()).toBe('Show more (238 left)');
  await user.keyboard('{Home}');
  expect(focused()).toBe('Fjordline');
});

test('a line says its place, its level, how much is below it and how much of that is its own', () => {
  openTree();
  const vest = screen.getByRole('treeitem', { name: 'Vest, 3 devices (1 own), 2 users (0 own)' });
  expect([
    vest.ariaLevel ?? vest.getAttribute('aria-level'),
    vest.getAttribute('aria-posinset'),
    vest.getAttribute('aria-setsize'),
  ]).toEqual(['2', '1', '240']);
  expect(vest.getAttribute('aria-expanded')).toBe('false');
});

test('the rest of a long branch is asked for with Enter', async () => {
  const { user, more } = openTree();
  await user.tab();
  await user.keyboard('{End}{Enter}');
  expect(more).toEqual([1]);
});

test('a company is cut, taken to another one and put below it by keyboard; where it cannot go nothing happens', async () => {
  const { user, puts } = openTree();
  await user.tab();
  await user.keyboard('{End}{ArrowUp}{Control>}x{/Control}');
  expect(focused()).toBe('Øst');
  await user.keyboard('{Home}{Enter}');
  expect(puts).toEqual([]);
  await user.keyboard('{ArrowDown}{Control>}v{/Control}');
  expect(puts).toEqual(['Øst below Vest']);
});

test('Escape leaves a cut company where it is, and the first one of a tree cannot be cut', async () => {
  const { user, puts } = openTree();
  await user.tab();
  await user.keyboard('{Control>}x{/Control}{ArrowDown}{Control>}v{/Control}');
  await user.keyboard('{Control>}x{/Control}{Escape}{Home}{Control>}v{/Control}');
  expect(puts).toEqual([]);
});

test('Shift+F10 opens the menu of the line in focus', async () => {
  const { user } = openTree();
  await user.tab();
  await user.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}');
  expect(await screen.findByText('Rename Vest')).toBeTruthy();
});
