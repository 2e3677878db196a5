import { expect, test } from 'vitest';
import { columnsOf } from './small-templates.tsx';

test('a row of a grid has 24 columns; classes and sizes in twelfths take twice as many [CD11]', () => {
  expect([columnsOf(undefined, { xs: 8 }), columnsOf(undefined, { xs: 24, md: { span: 12 } }), columnsOf(undefined, {})]).toEqual([
    8, 12, 24,
  ]);
  expect([columnsOf('col-md-6', {}), columnsOf(undefined, { size: 4 }), columnsOf(undefined, { size: { xs: 12, md: 3 } })]).toEqual([
    12, 8, 6,
  ]);
});
