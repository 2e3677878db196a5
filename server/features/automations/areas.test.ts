import { expect, test } from 'vitest';
import { readArea } from '../../../schemas/kit/form/area.ts';
import { isInside } from './areas.ts';

test('an area of a rule goes over the date line and around a pole', () => {
  const taveuni = '-16.8,179.9,50000';
  expect(isInside('-16.8,-179.9', taveuni), '21 km to the east').toBe(true);
  expect(isInside('-16.8,179.5', taveuni), '43 km to the west').toBe(true);
  expect(isInside('-16.8,-179.0', taveuni), '117 km to the east').toBe(false);
  expect(isInside('89.9,-100', '89.9,80,30000'), 'beyond the pole').toBe(true);
});

test('what is no area is none', () => {
  for (const text of ['', '1,2', '91,0,5', '0,181,5', '0,0,0', '0,0,-1', '0,0,20000001', '0,0,5,6', 'x,0,5', '0,,5'])
    expect(readArea(text), text).toBeUndefined();
  expect(isInside('nowhere', '0,0,500')).toBe(false);
});
