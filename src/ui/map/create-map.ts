import L from 'leaflet';
import { cx } from '../cx.ts';
import { FINE_FROM_ZOOM, loadOutlines, type Detail } from './outlines.ts';
import { addHandles } from './handles.ts';
import type { MapHandle, MapMark, MapPoint, MapTiles, MapView, WorldMapProps } from './types.ts';
import styles from './map.module.css';
import { joinLongitudes } from '../../../schemas/kit/resources/mercator.ts';

/** What a map may be asked to do. */
export interface DrawnMap {
  showMarks(marks: readonly MapMark[], chosen: string | undefined): void;
  showTrack(points: readonly MapPoint[]): void;
  showArea(corners: readonly MapPoint[]): void;
  showHandles(handles: readonly MapHandle[]): void;
  look(focus: NonNullable<WorldMapProps['focus']>): void;
  pickMiddle(): void;
  remove(): void;
}

interface MapOptions {
  tiles: MapTiles | undefined;
  words: { zoomIn: string; zoomOut: string };
  onView(view: MapView): void;
  onMark(mark: MapMark): void;
  onPick(point: MapPoint): void;
  onHandle(id: string, point: MapPoint): void;
  /** Whether the tile server gives pictures. */
  onTiles(isThere: boolean): void;
}

const HIGHEST_ZOOM = 18;
const CLOSE_ZOOM = 13;
const WORLDS = [-360, 0, 360];
const MARGIN_PX = 32;
const BIG_COUNT = 100;

const latLng = ({ latitude, longitude }: MapPoint): [number, number] => [latitude, longitude];
const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The outlines of the world below everything, finer ones from a zoom on. Shown three times, so that the date line is no edge. */
function addOutlines(map: L.Map): void {
  map.createPane('outlines').style.zIndex = '150';
  const layer = L.layerGroup().addTo(map);
  let shown: Detail | undefined;
  const show = async (): Promise<void> => {
    const wanted: Detail = map.getZoom() < FINE_FROM_ZOOM ? 'coarse' : 'fine';
    if (shown === wanted || shown === 'fine') return;
    shown = wanted;
    const shapes = await loadOutlines(wanted).catch(() => undefined);
    if (!shapes || shown !== wanted) return;
    layer.clearLayers();
    for (const turn of WORLDS)
      layer.addLayer(
        L.geoJSON(shapes, {
          pane: 'outlines',
          interactive: false,
          style: { className: styles.country ?? '', weight: 1 },
          coordsToLatLng: ([longitude = 0, latitude = 0]) => L.latLng(latitude, longitude + turn),
        }),
      );
  };
  map.on('zoomend', () => void show());
  void show();
}

function addTiles(map: L.Map, { url, attribution }: MapTiles, onTiles: MapOptions['onTiles']): void {
  // A server that answers something else than pictures leaves the outlines in sight.
  L.tileLayer(url, { maxZoom: HIGHEST_ZOOM, attribution: escapeHtml(attribution), referrerPolicy: 'origin' })
    .on('tileerror', () => onTiles(false))
    .on('tileload', () => onTiles(true))
    .addTo(map);
}

function viewOf(map: L.Map): MapView {
  const bounds = map.getBounds();
  return { zoom: map.getZoom(), south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() };
}

function drawMark(mark: MapMark, onMark: (mark: MapMark) => void): { icon: L.DivIcon; button: HTMLButtonElement } {
  const button = document.createElement('button');
  button.type = 'button';
  button.title = mark.label;
  button.setAttribute('aria-label', mark.label);
  const isOne = mark.count === 1;
  button.className = cx(isOne ? styles.one : styles.many, styles[mark.kind], mark.count >= BIG_COUNT && styles.big);
  if (!isOne) button.textContent = mark.count < 1000 ? String(mark.count) : `${Math.floor(mark.count / 1000)}k`;
  button.addEventListener('click', () => onMark(mark));
  L.DomEvent.disableClickPropagation(button);
  return { icon: L.divIcon({ html: button, className: styles.place ?? '', iconSize: [0, 0] }), button };
}

/** The copy of a longitude that is nearest to what is shown. */
const near = (longitude: number, middle: number): number => longitude + 360 * Math.round((middle - longitude) / 360);

/** Draws a map into an element. */
export function createMap(element: HTMLElement, { tiles, words, onView, onMark, onPick, onHandle, onTiles }: MapOptions): DrawnMap {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    worldCopyJump: true,
    minZoom: 1,
    maxZoom: HIGHEST_ZOOM,
    maxBounds: [
      [-86, -540],
      [86, 540],
    ],
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    inertia: !isStill,
  }).setView([25, 10], 2);
  L.control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map);
  L.control.attribution({ prefix: false }).addAttribution('Natural Earth').addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  addOutlines(map);
  if (tiles) addTiles(map, tiles, onTiles);
  const marks = new Map<string, { marker: L.Marker; button: HTMLButtonElement; mark: MapMark }>();
  const line = L.polyline([], { className: styles.track ?? '', interactive: false }).addTo(map);
  const shape = L.polygon([], { className: styles.area ?? '', interactive: false, smoothFactor: 0.2 }).addTo(map);
  const report = (): void => onView(viewOf(map));
  map.on('moveend', () => {
    const middle = map.getCenter().lng;
    for (const { marker, mark } of marks.values()) marker.setLatLng([mark.latitude, near(mark.longitude, middle)]);
    report();
  });
  map.on('click', ({ latlng }) => onPick({ latitude: latlng.lat, longitude: latlng.lng }));
  const sized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  sized.observe(element);
  queueMicrotask(report);
  return {
    showMarks(next, chosen) {
      const wanted = new Set(next.map(({ id }) => id));
      for (const [id, { marker }] of marks) {
        if (wanted.has(id)) continue;
        marker.remove();
        marks.delete(id);
      }
      const middle = map.getCenter().lng;
      for (const mark of next) {
        const former = marks.get(mark.id);
        const isSame = former && former.mark.kind === mark.kind && former.mark.label === mark.label;
        if (!isSame) former?.marker.remove();
        const drawn = isSame ? former : { ...drawMark(mark, onMark), marker: undefined };
        const place: [number, number] = [mark.latitude, near(mark.longitude, middle)];
        const marker =
          drawn.marker?.setLatLng(place) ??
          L.marker(place, { ...('icon' in drawn ? { icon: drawn.icon } : {}), keyboard: false, interactive: false }).addTo(map);
        drawn.button.classList.toggle(styles.chosen ?? 'chosen', mark.id === chosen);
        marks.set(mark.id, { marker, button: drawn.button, mark });
      }
    },
    showTrack: (points) => void line.setLatLngs(points.map(latLng)),
    showHandles: addHandles(map, onHandle),
    showArea: (corners) => void shape.setLatLngs(corners.map(latLng)),
    look({ points, zoom }) {
      const [first] = points;
      if (!first) return;
      if (points.length === 1) map.setView(latLng(first), zoom ?? CLOSE_ZOOM, { animate: false });
      else
        map.fitBounds(L.latLngBounds(joinLongitudes(points).map(latLng)), {
          padding: [MARGIN_PX, MARGIN_PX],
          maxZoom: zoom ?? CLOSE_ZOOM,
          animate: false,
        });
    },
    pickMiddle() {
      const { lat, lng } = map.getCenter();
      onPick({ latitude: lat, longitude: lng });
    },
    remove() {
      sized.disconnect();
      map.remove();
    },
  };
}
