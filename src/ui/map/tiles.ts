import type { MapTiles } from './types.ts';

/** The tile server of this installation, which the server writes into `<meta name="map-tiles">` (its setting MAP_TILES_URL). */
export function readTiles(): MapTiles | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="map-tiles"]')?.content;
  if (!content) return undefined;
  const { url, attribution } = JSON.parse(content) as MapTiles;
  return { url, attribution };
}
