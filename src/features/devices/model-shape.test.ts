import { expect, test } from 'vitest';
import { modelShape } from './model-shape.ts';

test('a model is drawn with the ports, antennas and SIM slots that it has; an unknown one as nothing in particular', () => {
  expect(modelShape('RUTX50')).toEqual({ body: 'box', ports: 5, antennas: 7, sims: 2, isFacelift: false });
  expect(modelShape('TRB140')).toEqual({ body: 'box', ports: 1, antennas: 2, sims: 1, isFacelift: false });
  expect(modelShape('TSW202')).toMatchObject({ body: 'rack', ports: 10, antennas: 0 });
  expect(modelShape('tap200')).toMatchObject({ body: 'panel' });
  expect(modelShape('RUTX11-facelift')).toMatchObject({ ports: 4, isFacelift: true });
  expect(modelShape('Acme 9000')).toMatchObject({ body: 'unknown', ports: 0 });
});
