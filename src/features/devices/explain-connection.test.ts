import { describe, expect, test } from 'vitest';
import type { Device, DeviceEvent } from '../../../schemas/_generated/contract.ts';
import { explainConnection, type Evidence } from './explain-connection.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const SINCE = '2026-03-01 10:00:00';
const device = (values: Partial<Device>): Device => ({ status: 0, quarantine: null, failed_auth_reason: null, ...values }) as Device;
const event = (values: Partial<DeviceEvent>): DeviceEvent => ({ type: 'disconnected', level: 'info', code: null, created_at: SINCE, ...values }) as DeviceEvent; // prettier-ignore
const evidence = (values: Partial<Evidence> = {}): Evidence => ({
  since: SINCE,
  disconnects: 0,
  events: [event({})],
  jobs: [],
  changes: [],
  readings: [],
  ...values,
});
const keysOf = (of: Device, given: Evidence) => explainConnection(of, given, NOW)?.reasons.map(({ key }) => key);

describe('why a device is offline', () => {
  test('is said with how long, and how its connection ended', () => {
    expect(explainConnection(device({}), evidence(), NOW)).toEqual({
      kind: 'offline',
      lasts: 7_200_000,
      reasons: [{ key: 'devices.why.closed' }],
    });
    expect(keysOf(device({}), evidence({ events: [event({ level: 'warning' })] }))).toEqual(['devices.why.silent']);
  });

  test('ends with the cell that a mobile device was last connected through', () => {
    const mobile = { wan_state: 'Mobile', cell_id: '7A1495', operator: 'Telia N' };
    expect(explainConnection(device(mobile), evidence(), NOW)?.reasons.at(-1)).toEqual({
      key: 'devices.why.cell',
      params: { cell: '7A1495', operator: 'Telia N' },
    });
    expect(keysOf(device({ ...mobile, wan_state: 'Wired' }), evidence())).toEqual(['devices.why.closed']);
  });

  test('begins with the code of an attempt; one that was refused since then says so', () => {
    expect(keysOf(device({ failed_auth_reason: 15 }), evidence())?.[0]).toBe('devices.attempt.15');
    const refused = event({ type: 'refused', code: 0, created_at: '2026-03-01 11:00:00' });
    expect(keysOf(device({ failed_auth_reason: 0 }), evidence({ events: [refused] }))).toEqual(['devices.why.refused']);
    expect(keysOf(device({ failed_auth_reason: 0 }), evidence())?.[0]).toBe('devices.attempt.tried');
  });

  test('names a command that takes a device down, not one that does not, nor one of long before', () => {
    const job = (kind: string, sent_at: string) => ({ job_id: 4, kind, state: 'running', sent_at });
    expect(keysOf(device({}), evidence({ jobs: [job('reboot', '2026-03-01 09:59:00')] }))?.[0]).toBe('devices.why.job');
    expect(keysOf(device({}), evidence({ jobs: [job('run', '2026-03-01 09:59:00')] }))).toEqual(['devices.why.closed']);
    expect(keysOf(device({}), evidence({ jobs: [job('reboot', '2026-03-01 08:00:00')] }))).toEqual(['devices.why.closed']);
  });

  test('names a weak signal, heat, and what changed', () => {
    const readings = [
      { metric: 'signal', value: -110, created_at: SINCE },
      { metric: 'signal', value: -60, created_at: SINCE },
      { metric: 'temperature', value: 801, created_at: SINCE },
    ];
    const changes = [{ name: 'operator', before: 'Telia', value: 'Telenor', created_at: SINCE }];
    expect(keysOf(device({}), evidence({ readings, changes }))).toEqual([
      'devices.why.weak',
      'devices.why.hot',
      'devices.why.changed',
      'devices.why.closed',
    ]);
  });
});

describe('a device that is not offline', () => {
  test('is explained only when it comes and goes', () => {
    expect(explainConnection(device({ status: 1 }), evidence({ disconnects: 2 }), NOW)).toBeUndefined();
    expect(explainConnection(device({ status: 1 }), evidence({ disconnects: 5 }), NOW)).toMatchObject({ kind: 'unstable' });
  });

  test('is not activated before its first contact, and quarantine explains itself', () => {
    expect(explainConnection(device({ status: null }), undefined, NOW)).toMatchObject({ kind: 'not_activated' });
    expect(explainConnection(device({ status: 2, quarantine: 'rejoin' }), evidence(), NOW)).toBeUndefined();
  });
});
