import { describe, expect, it } from 'vitest';
import { compareVersions, deviceCapabilities, parseFirmware } from './device-capabilities.ts';

describe('firmware names', () => {
  it.each([
    ['RUTX_R_00.07.14.2', [7, 14, 2]],
    ['RUT9XX_R_00.06.09.5', [6, 9, 5]],
    ['TAP2XX_R_00.07.04', [7, 4]],
    ['RUT2M_R_GPL_00.07.06', [7, 6]],
    ['07.13', [7, 13]],
    ['OpenWrt 23.05.3', undefined],
    ['', undefined],
  ])('reads %s', (name, version) => {
    expect(parseFirmware(name)).toEqual(version);
  });

  it('compares part by part and not as text', () => {
    expect(compareVersions([7, 9], [7, 13])).toBeLessThan(0);
    expect(compareVersions([7, 14, 2], [7, 14])).toBeGreaterThan(0);
    expect(compareVersions([7], [7, 0, 0])).toBe(0);
    // A fourth part counts, as a number.
    expect(compareVersions([7, 6, 3, 10], [7, 6, 3, 9])).toBeGreaterThan(0);
    expect(compareVersions([7, 6, 3], [7, 6, 3, 1])).toBeLessThan(0);
  });
});

describe('what a device can do', () => {
  it.each([
    ['RUT360', 'RUT36X_R_00.06.09', false],
    ['RUT360', 'RUT36X_R_00.07.00', true],
    ['RUT300', 'RUT30X_R_00.07.05', false],
    ['RUT300', 'RUT30X_R_00.07.06', true],
    ['TRB255', 'TRB2_R_00.07.05.4', false],
    ['TRB255', 'TRB2_R_00.07.06', true],
    ['RUTX11', 'RUTX_R_00.07.02', true],
    ['RUTX08', 'RUTX_R_00.07.14', false],
  ])('hotspot of %s with %s: %s', (model, firmware, has) => {
    expect(deviceCapabilities({ model, firmware }).has_hotspot).toBe(has);
  });

  it.each([
    ['RUT241', 'RUT2M_R_00.07.00', true],
    ['RUT955', 'RUT9XX_R_00.06.09', false],
    ['RUTX11', 'RUTX_R_00.02.04', true],
    ['RUTX11', 'RUTX_R_00.02.03', false],
    ['TAP200', 'TAP2XX_R_00.07.14', false],
  ])('dynamic DNS of %s with %s: %s', (model, firmware, has) => {
    expect(deviceCapabilities({ model, firmware }).has_ddns).toBe(has);
  });

  it('keeps alerts on the device below 07.13 only', () => {
    expect(deviceCapabilities({ model: 'RUT956', firmware: 'RUT9M_R_00.07.12.4' }).has_legacy_alerts).toBe(true);
    expect(deviceCapabilities({ model: 'RUT956', firmware: 'RUT9M_R_00.07.13' }).has_legacy_alerts).toBe(false);
  });

  it.each([
    ['RUTX50', 5, 2, true],
    ['TSW202', 10, 0, false],
    ['TRB140', 1, 1, false],
    ['RUT956', 4, 2, true],
  ])('%s has %i ports and %i SIMs', (model, ports, sims, gps) => {
    expect(deviceCapabilities({ model, firmware: '' })).toMatchObject({ port_count: ports, sim_count: sims, has_gps: gps });
  });

  it('promises nothing of a make it does not know', () => {
    const { fw_version, device_series, ...flags } = deviceCapabilities({ model: 'Raspberry Pi 4', firmware: 'Debian 12' });
    expect([fw_version, device_series]).toEqual([undefined, undefined]);
    expect(Object.values(flags).every((flag) => flag === false || flag === 0)).toBe(true);
  });
});
