import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { FoldingMenu } from './FoldingMenu.tsx';

const group = (name: string, ...pages: string[]) => ({
  name,
  label: name,
  items: pages.map((page) => ({ key: page, content: <a href={`/${page}`}>{page}</a> })),
});

function Menu({ isShort }: { isShort?: boolean }) {
  const [open, setOpen] = useState(['Work']);
  return (
    <nav aria-label="Pages">
      <FoldingMenu groups={[group('Work', 'Devices', 'Jobs'), group('System', 'Forms')]} open={open} onOpen={setOpen} isShort={isShort} />
    </nav>
  );
}

const links = () => screen.getAllByRole('link').map((link) => link.textContent);

test('a group is folded and unfolded by its heading, by keyboard too, and says which it is', async () => {
  render(<Menu />);
  const user = userEvent.setup();
  expect(links()).toEqual(['Devices', 'Jobs']);
  expect(screen.getByRole('button', { name: 'Work' }).getAttribute('aria-expanded')).toBe('true');
  screen.getByRole('button', { name: 'System' }).focus();
  await user.keyboard('{Enter}');
  expect(links()).toEqual(['Devices', 'Jobs', 'Forms']);
  await user.click(screen.getByRole('button', { name: 'Work' }));
  expect(links()).toEqual(['Forms']);
});

test('Tab goes through headings and links and nothing else', async () => {
  render(<Menu />);
  const user = userEvent.setup();
  const reached: (string | null | undefined)[] = [];
  for (let stop = 0; stop < 4; stop += 1) {
    await user.tab();
    reached.push(document.activeElement?.textContent);
  }
  expect(reached).toEqual(['Work', 'Devices', 'Jobs', 'System']);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('with drawings only nothing is folded away', () => {
  render(<Menu isShort />);
  expect(links()).toEqual(['Devices', 'Jobs', 'Forms']);
});
