import type { StatusKind } from '../../ui/index.ts';

/** A device's status as the wire has it: 0 offline, 1 online, 2 pending, anything else not activated. */
export type StatusName = 'online' | 'offline' | 'pending' | 'not_activated';

/** The status word of a device's number. */
export function statusName(status: unknown): StatusName {
  if (status === 1) return 'online';
  if (status === 0) return 'offline';
  if (status === 2) return 'pending';
  return 'not_activated';
}

export const statusKinds: Record<StatusName, StatusKind> = { online: 'good', offline: 'bad', pending: 'warn', not_activated: 'idle' };

export type SignalLevel = 'excellent' | 'average' | 'low' | 'no_signal';
const EXCELLENT_DBM = -75;
const AVERAGE_DBM = -90;
const LOW_DBM = -105;

/** The signal's level by its dBm, with the limits that the API's `signal` filter uses. */
export function signalLevel(dbm: number | null): SignalLevel {
  if (dbm === null || dbm < LOW_DBM) return 'no_signal';
  if (dbm >= EXCELLENT_DBM) return 'excellent';
  return dbm >= AVERAGE_DBM ? 'average' : 'low';
}

// RUTX_R_00.07.14.2 → 07.14.2; anything else stays as it is.
const RUTOS = /_R_(?:[A-Z]*_)?00\.(\d\d\.\d+(?:\.\d+)*)/;

/** The part of a firmware name that people compare. */
export function shortFirmware(firmware: string): string {
  return RUTOS.exec(firmware)?.[1] ?? firmware;
}
