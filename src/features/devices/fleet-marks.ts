import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Translate } from '../../kernel/i18n/index.ts';
import type { MapMark, MapPoint, MapView, StatusKind } from '../../ui/index.ts';
import { statusKinds, statusName } from './status.ts';

/** What `GET /devices/map` answers for each square of the map. */
export interface FleetMark extends MapPoint {
  count: number;
  online: number;
  offline: number;
  pending: number;
  device: Pick<Device, 'id' | 'name' | 'status' | 'model'> | null;
}

const DIGITS = 5;
const MOST_LATITUDE = 90;
/** A mark of several is red from one in so many offline. */
const OFFLINE_SHARE = 10;

function kindOf({ count, online, offline, pending }: FleetMark): StatusKind {
  if (offline * OFFLINE_SHARE >= count && offline > 0) return 'bad';
  if (pending * OFFLINE_SHARE >= count && pending > 0) return 'warn';
  return online > 0 ? 'good' : 'idle';
}

/** A mark as the map draws it, with its words. */
export function drawnMark(mark: FleetMark, t: Translate): MapMark {
  const { latitude, longitude, count, online, offline, device } = mark;
  const place = { latitude, longitude, count };
  if (!device) {
    const id = `${latitude.toFixed(DIGITS)} ${longitude.toFixed(DIGITS)} ${count}`;
    return { ...place, id, kind: kindOf(mark), label: t('map.cluster', { count, online, offline }) };
  }
  const name = statusName(device.status);
  return { ...place, id: `device ${device.id}`, kind: statusKinds[name], label: `${device.name} · ${t(`devices.status.${name}`)}` };
}

/** A place as the `area` filter takes it. */
export function cornerText({ latitude, longitude }: MapPoint): string {
  const limited = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
  return `${limited.toFixed(DIGITS)}:${longitude.toFixed(DIGITS)}`;
}

/** What is in sight, as values of the `area` filter. */
export function areaInSight({ south, west, north, east }: MapView): string[] {
  return [cornerText({ latitude: south, longitude: west }), cornerText({ latitude: north, longitude: east })];
}

/** Corners of the `area` filter; none where they are not three or more. */
export function cornersOf(text: string | null): MapPoint[] {
  const corners = (text ?? '').split(',').map((part) => {
    const [latitude = NaN, longitude = NaN] = part.split(':').map(Number);
    return { latitude, longitude };
  });
  const isArea = corners.length > 2 && corners.every(({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude));
  return isArea ? corners : [];
}
