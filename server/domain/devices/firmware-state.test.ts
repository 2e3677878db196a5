import { expect, test } from 'vitest';
import { firmwareStateOf, newestVersions } from './firmware-state.ts';

test('firmware is newest or older than the newest image for its model or family; without a version or an image it is not known', () => {
  const newest = newestVersions([
    { device_model: 'RUTX', version: '00.07.14.2' },
    { device_model: 'RUTX', version: '00.07.13' },
    { device_model: 'TRB140', version: '00.07.06' },
    { device_model: null, version: '00.09.01' },
  ]);
  const stateOf = (model: string, firmware: string) => firmwareStateOf({ model, firmware }, newest);
  expect(stateOf('RUTX50', 'RUTX_R_00.07.14.2')).toBe('newest');
  expect(stateOf('RUTX50', 'RUTX_R_00.07.13.4')).toBe('older');
  expect(stateOf('trb140', 'TRB1_R_00.07.14')).toBe('newest');
  expect(stateOf('RUT956', 'RUT9M_R_00.07.14')).toBe('unknown');
  expect(stateOf('RUTX50', 'OpenWrt')).toBe('unknown');
});
