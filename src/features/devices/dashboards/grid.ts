import { arranged, COLUMNS, MOST_ROWS, type Widget } from '../../../../schemas/kit/resources/dashboards.ts';

/** Height of a row of the grid, with the gap below it. */
export const ROW_PX = 76;
const TALLEST = 12;

/** Steps that a widget is moved or sized by: columns and rows. */
export interface Step {
  columns: number;
  rows: number;
}

const ARROWS: Readonly<Record<string, Step>> = {
  ArrowLeft: { columns: -1, rows: 0 },
  ArrowRight: { columns: 1, rows: 0 },
  ArrowUp: { columns: 0, rows: -1 },
  ArrowDown: { columns: 0, rows: 1 },
};

/** The step of an arrow key. */
export const stepOf = (key: string): Step | undefined => ARROWS[key];

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The widgets after one of them was moved. */
export function moved(widgets: readonly Widget[], id: string, { columns, rows }: Step): Widget[] {
  const one = widgets.find((widget) => widget.id === id);
  if (!one) return [...widgets];
  // A step down goes beyond the widget below, or it would fall back to where it was.
  const below = widgets.filter(
    (other) => other.id !== id && other.y >= one.y + one.h && other.x < one.x + one.w && one.x < other.x + other.w,
  );
  const jump = rows === 1 && below.length > 0 ? Math.min(...below.map((other) => other.y + other.h)) - one.y - one.h + 1 : rows;
  const next = { ...one, x: within(one.x + columns, 0, COLUMNS - one.w), y: within(one.y + jump, 0, MOST_ROWS) };
  return arranged(
    widgets.map((widget) => (widget.id === id ? next : widget)),
    id,
  );
}

/** The widgets after one of them was sized. */
export function sized(widgets: readonly Widget[], id: string, { columns, rows }: Step): Widget[] {
  return arranged(
    widgets.map((widget) =>
      widget.id === id
        ? { ...widget, w: within(widget.w + columns, 1, COLUMNS - widget.x), h: within(widget.h + rows, 1, TALLEST) }
        : widget,
    ),
    id,
  );
}
