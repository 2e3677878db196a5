import { expect, test } from 'vitest';
import type { Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import { countChanged, mergeWidgets } from './merge-widgets.ts';

const widget = (id: string, y: number, text = id): Widget => ({ id, type: 'text', x: 0, y, w: 4, h: 1, text });
const base = [widget('a', 0), widget('b', 1), widget('c', 2)];
const texts = (widgets: readonly Widget[]) => widgets.map(({ id, text }) => `${id}:${text}`);

test('changes of two people are both there when they changed different widgets', () => {
  const mine = [widget('a', 0, 'mine'), widget('b', 1), widget('c', 2)];
  const theirs = [widget('a', 0), widget('b', 1, 'theirs'), widget('c', 2), widget('d', 3)];
  expect(texts(mergeWidgets(base, mine, theirs))).toEqual(['a:mine', 'b:theirs', 'c:c', 'd:d']);
});

test('where both changed the same widget, mine is kept, also when it was removed on one side', () => {
  const mine = [widget('a', 0, 'mine'), widget('c', 2)];
  const theirs = [widget('b', 1, 'theirs'), widget('c', 2)];
  expect(texts(mergeWidgets(base, mine, theirs))).toEqual(['a:mine', 'c:c']);
});

test('two new widgets of the same number are both kept', () => {
  const merged = mergeWidgets(base, [...base, widget('w4', 3, 'mine')], [...base, widget('w4', 3, 'theirs')]);
  expect(texts(merged)).toEqual(['a:a', 'b:b', 'c:c', 'w4:theirs', 'w1:mine']);
  expect(countChanged(base, merged)).toBe(2);
});
