import { describe, expect, it } from 'vitest';
import { shortFirmware, signalLevel, statusName } from './status.ts';

describe('status of a device', () => {
  it('is known by number, and anything unknown is not activated', () => {
    expect([1, 0, 2, null, 7, undefined].map(statusName)).toEqual([
      'online',
      'offline',
      'pending',
      'not_activated',
      'not_activated',
      'not_activated',
    ]);
  });

  it('sorts signal into the four levels of the filter', () => {
    expect([-51, -75, -76, -90, -91, -105, -106, null].map(signalLevel)).toEqual([
      'excellent',
      'excellent',
      'average',
      'average',
      'low',
      'low',
      'no_signal',
      'no_signal',
    ]);
  });

  it('shows the version of a RutOS name and leaves other names whole', () => {
    expect(shortFirmware('RUTX_R_00.07.14.2')).toBe('07.14.2');
    expect(shortFirmware('OpenWrt 23.05.3')).toBe('OpenWrt 23.05.3');
  });
});
