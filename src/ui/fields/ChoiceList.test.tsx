import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { chosenOf } from '../test-kit.ts';
import { Select } from '../Select.tsx';

const CITIES = ['Bergen', 'Oslo', 'Tromsø'].map((label, index) => ({ value: index + 1, label }));

function Cities() {
  const [value, setValue] = useState(2);
  return <Select aria-label="City" value={value} choices={CITIES} onChange={setValue} />;
}

test('a list opens at what is chosen, and arrows and Enter choose', async () => {
  const user = userEvent.setup();
  render(<Cities />);
  const box = screen.getByRole('combobox', { name: 'City' });
  expect(chosenOf(box)).toBe('Oslo');
  await user.click(box);
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Oslo');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(chosenOf(box)).toBe('Tromsø');
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('typed letters leave what has them, and what does not fit leaves all as it was', async () => {
  const user = userEvent.setup();
  render(<Cities />);
  const box = screen.getByRole('combobox', { name: 'City' });
  await user.type(box, 'ber{Enter}');
  expect(chosenOf(box)).toBe('Bergen');
  await user.type(box, 'xyz{Enter}{Escape}');
  expect(chosenOf(box)).toBe('Bergen');
});
