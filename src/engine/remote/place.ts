import { api } from '../../kernel/http/index.ts';
import type { RemotePlace } from './terms.ts';

/** What the address of a connect page asks for: `?entry=12`, `?link=3`, or `?device=7` for the page of a device itself. */
export function readPlace(search: string): RemotePlace | undefined {
  const query = new URLSearchParams(search);
  const access = Number(query.get('entry'));
  const link = query.get('link');
  if (Number.isSafeInteger(access) && access > 0) return { access };
  if (link) return { link };
  const device = Number(query.get('device'));
  return Number.isSafeInteger(device) && device > 0 ? { device } : undefined;
}

export interface PlaceTexts {
  name: string;
  detail: string;
}

interface Entry {
  id: number;
  name: string;
  device_name: string;
  destination_ip: string;
  destination_port: number;
}

/** How an entry is called on the page that connects to it. */
export const textsOfEntry = ({ name, device_name: device, destination_ip: ip, destination_port: port }: Entry): PlaceTexts => ({
  name: `${name} · ${device}`,
  detail: `${ip}:${port}`,
});

/** The texts of a place; only what the address says when they cannot be read. */
export async function loadPlaceTexts(place: RemotePlace, unknown: string): Promise<PlaceTexts> {
  try {
    if ('link' in place) {
      const { data } = await api.get<{ id: number; entry_name: string; device_name: string; purpose: string }[]>('/remote/shared', {
        query: { id: place.link },
      });
      const [shared] = data;
      return shared ? { name: `${shared.entry_name} · ${shared.device_name}`, detail: shared.purpose } : { name: unknown, detail: '' };
    }
    if ('device' in place) {
      const { data } = await api.get<{ name: string }>(`/devices/${place.device}`);
      return { name: data.name, detail: '' };
    }
    const { data } = await api.get<Entry>(`/devices/remote-access/${place.access}`);
    return textsOfEntry(data);
  } catch {
    return { name: unknown, detail: '' };
  }
}
