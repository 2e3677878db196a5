import L from 'leaflet';
import { cx } from '../cx.ts';
import type { MapHandle, MapPoint } from './types.ts';
import styles from './map.module.css';

const STEP_PX = 10;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Points that are dragged, or moved by the arrow keys (with Shift by single pixels). */
export function addHandles(map: L.Map, onHandle: (id: string, point: MapPoint) => void): (handles: readonly MapHandle[]) => void {
  const markers = new Map<string, L.Marker>();
  let dragged: string | undefined;
  const report = (id: string, marker: L.Marker): void => {
    const { lat, lng } = marker.getLatLng();
    onHandle(id, { latitude: lat, longitude: lng });
  };
  const make = ({ id, kind, label }: MapHandle): L.Marker => {
    const icon = L.divIcon({ className: cx(styles.handle, kind === 'edge' && styles.ring), iconSize: [24, 24] });
    const marker = L.marker([0, 0], { icon, draggable: true, keyboard: true, autoPanOnFocus: false }).addTo(map);
    marker.on('dragstart', () => (dragged = id));
    marker.on('drag', () => report(id, marker));
    marker.on('dragend', () => {
      dragged = undefined;
      report(id, marker);
    });
    const element = marker.getElement();
    element?.setAttribute('role', 'button');
    element?.setAttribute('aria-label', label);
    element?.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const px = event.shiftKey ? 1 : STEP_PX;
      const at = map.latLngToContainerPoint(marker.getLatLng()).add([step[0] * px, step[1] * px]);
      marker.setLatLng(map.containerPointToLatLng(at));
      report(id, marker);
    });
    return marker;
  };
  return (handles) => {
    for (const [id, marker] of markers)
      if (!handles.some((one) => one.id === id)) {
        marker.remove();
        markers.delete(id);
      }
    for (const handle of handles) {
      const marker = markers.get(handle.id) ?? make(handle);
      markers.set(handle.id, marker);
      if (dragged !== handle.id) marker.setLatLng([handle.latitude, handle.longitude]);
    }
  };
}
