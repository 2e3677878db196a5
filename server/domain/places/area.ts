import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { InvalidFields } from '../../kernel/errors.ts';
import { WORLD, xOf, yOf } from '../../../schemas/kit/resources/mercator.ts';

/** An area on the map: its corners, and the rectangle around them. It may go beyond an edge of the map, and begins on it. */
export interface Area {
  corners: { x: number; y: number }[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const MOST_CORNERS = 100;
const MOST_DEGREES = 720;
// 59.91:10.75
const CORNER = /^(-?\d{1,3}(?:\.\d{1,9})?):(-?\d{1,3}(?:\.\d{1,9})?)$/;

function invalid(source: string): InvalidFields {
  return new InvalidFields([
    {
      source,
      message: `Use the corners of an area as latitude:longitude, two (south-west, north-east) to ${MOST_CORNERS}.`,
      params: { max: MOST_CORNERS },
    },
  ]);
}

/**
 * An area from corners such as `59.1:10.2`. Two are the south-west and the north-east of a rectangle; one whose west is greater than its east
 * goes over the date line. Three or more are a polygon. Throws INVALID_FIELD at `source`.
 */
export function parseArea(values: readonly string[], source: string): Area {
  const points = values.map((value) => {
    const [, latitude, longitude] = CORNER.exec(value) ?? [];
    const point = { latitude: Number(latitude), longitude: Number(longitude) };
    if (!(Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= MOST_DEGREES)) throw invalid(source);
    return point;
  });
  const [first, second] = points;
  if (!first || !second || points.length > MOST_CORNERS) throw invalid(source);
  if (points.length === 2) {
    const east = second.longitude < first.longitude ? second.longitude + 360 : second.longitude;
    return areaOf([first, { ...first, longitude: east }, { ...second, longitude: east }, { ...second, longitude: first.longitude }]);
  }
  return areaOf(points);
}

interface Point {
  latitude: number;
  longitude: number;
}

function areaOf(points: readonly Point[]): Area {
  const drawn = points.map(({ latitude, longitude }) => ({ x: xOf(longitude), y: yOf(latitude) }));
  const shift = Math.floor(Math.min(...drawn.map(({ x }) => x)) / WORLD) * WORLD;
  const corners = drawn.map(({ x, y }) => ({ x: x - shift, y }));
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  return { corners, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

const number = (value: number): RawBuilder<unknown> => sql.raw(String(value));

/** How many edges of the area a line from the point to the right crosses; the area is `turn` worlds further right. */
function crossings({ corners }: Area, turn: number): RawBuilder<unknown> {
  const edges = corners.flatMap((from, index) => {
    const to = corners[(index + 1) % corners.length] ?? from;
    if (from.y === to.y) return [];
    const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
    const slope = (lower.x - upper.x) / (lower.y - upper.y);
    const edgeAt = sql`${number(upper.x - turn * WORLD)} + (p.y - ${number(upper.y)}) * ${sql.raw(slope.toFixed(9))}`;
    return [sql`case when p.y >= ${number(upper.y)} and p.y < ${number(lower.y)} and p.x < ${edgeAt} then 1 else 0 end`];
  });
  return edges.length === 0 ? sql`0` : sql.join(edges, sql` + `);
}

/** The condition "the place `p` lies in this area". */
export function isInArea(area: Area): Expression<SqlBool> {
  const isRectangle =
    area.corners.length === 4 &&
    area.corners.every(({ x, y }) => (x === area.left || x === area.right) && (y === area.top || y === area.bottom));
  const isWholeWidth = isRectangle && area.right - area.left >= WORLD;
  const rows = sql`p.y between ${number(area.top)} and ${number(area.bottom)}`;
  if (isWholeWidth) return sql<SqlBool>`(${rows})`;
  const turns = Array.from({ length: Math.min(4, Math.floor(area.right / WORLD) + 1) }, (_, turn) => {
    const columns = sql`p.x between ${number(Math.max(0, area.left - turn * WORLD))} and ${number(Math.min(WORLD, area.right - turn * WORLD))}`;
    return isRectangle ? sql`(${columns})` : sql`(${columns} and (${crossings(area, turn)}) % 2 = 1)`;
  });
  return sql<SqlBool>`(${rows} and (${sql.join(turns, sql` or `)}))`;
}
