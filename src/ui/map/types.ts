import type { StatusKind } from '../StatusMark.tsx';

export interface MapPoint {
  latitude: number;
  longitude: number;
}

/** What is drawn at a place: one thing, or several that lie together. */
export interface MapMark extends MapPoint {
  id: string;
  count: number;
  /** Its shape and colour; of several the one that needs somebody most. */
  kind: StatusKind;
  /** What it is, for screen readers and on hover. */
  label: string;
}

/** The part of the world that is shown, degrees; `east` is beyond 180 where the date line is in it. */
export interface MapView {
  zoom: number;
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Pictures of the map by a server of one's own. */
export interface MapTiles {
  /** With {z}, {x} and {y}. */
  url: string;
  attribution: string;
}

/** A point that is dragged, or moved by the arrow keys. */
export interface MapHandle extends MapPoint {
  id: string;
  /** A dot in the middle of something, or a ring at its edge. */
  kind: 'middle' | 'edge';
  /** What it moves, for screen readers. */
  label: string;
}

export interface WorldMapProps {
  /** What the map shows, for screen readers. */
  label: string;
  /** px, or any CSS length. */
  height: number | string;
  marks?: readonly MapMark[];
  /** The mark that is looked at. */
  chosen?: string | undefined;
  onMark?(mark: MapMark): void;
  /** What is brought into sight; another object brings it there again. */
  focus?: { points: readonly MapPoint[]; zoom?: number } | undefined;
  onView?(view: MapView): void;
  /** A line through places, oldest first. */
  track?: readonly MapPoint[];
  /** Corners of an area. */
  area?: readonly MapPoint[];
  handles?: readonly MapHandle[];
  /** While it is moved, too. */
  onHandle?(id: string, point: MapPoint): void;
  /** Clicks, and Enter at the middle of the map, give places. */
  isPicking?: boolean;
  onPick?(point: MapPoint): void;
}
