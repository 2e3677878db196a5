import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { startI18n } from '../kernel/i18n/index.ts';
import { SearchInput } from './SearchInput.tsx';

beforeAll(() => startI18n('en'));

const box = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (value: string) => fireEvent.change(box(), { target: { value } });

test('reports the trimmed text after a pause, and at once on Enter', () => {
  vi.useFakeTimers();
  const onChange = vi.fn();
  render(<SearchInput label="Search" value="" onChange={onChange} />);
  type(' fer');
  type(' ferry ');
  expect(onChange).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(300));
  expect(onChange.mock.calls).toEqual([['ferry']]);
  type('ferry 2');
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(onChange).toHaveBeenLastCalledWith('ferry 2');
  act(() => vi.advanceTimersByTime(1000));
  expect(onChange).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test('its own answer coming back does not eat what was typed since; a value from outside does', () => {
  vi.useFakeTimers();
  const onChange = vi.fn();
  const { rerender } = render(<SearchInput label="Search" value="" onChange={onChange} />);
  type('fer');
  act(() => vi.advanceTimersByTime(300));
  type('ferry');
  rerender(<SearchInput label="Search" value="fer" onChange={onChange} />);
  expect(box().value).toBe('ferry');
  rerender(<SearchInput label="Search" value="from a link" onChange={onChange} />);
  expect(box().value).toBe('from a link');
  vi.useRealTimers();
});
