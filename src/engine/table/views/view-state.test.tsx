import { expect, test } from 'vitest';
import { readListState, writeListState } from '../list-state.ts';
import { gadgets } from '../test-kit.tsx';
import { settleView, stateOfView, viewIdOf, viewQuery } from './view-state.ts';

const read = (text: string) => readListState(new URLSearchParams(text), gadgets);
const view = { id: 4, query: 'status=0&sort=-name' };
const settle = (text: string, hasDefault = false) =>
  writeListState(new URLSearchParams(), settleView(read(text), gadgets, { current: view, hasDefault }), gadgets);

test('a view keeps filters, order and page size, not the page [T3]', () => {
  expect(viewQuery(read('status=0&sort=-name&size=25&page=3&view=4'), gadgets)).toBe('status=0&sort=-name&size=25');
});

test('the address of a view says its whole state, so that it stays right without it [T3]', () => {
  expect(writeListState(new URLSearchParams(), stateOfView(view, gadgets), gadgets)).toBe('status=0&sort=-name&view=4');
  expect(viewIdOf(read('view=all'))).toBeUndefined();
});

test('a changed state stays with its view; clearing everything leaves it [T3]', () => {
  expect(settle('status=1&view=4')).toBe('status=1&view=4');
  expect(settle('view=4')).toBe('');
  expect(settle('view=4', true)).toBe('view=all');
  expect(settle('', true)).toBe('view=all');
  expect(settle('status=1&view=all', true)).toBe('status=1');
});
