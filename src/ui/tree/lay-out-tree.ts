export interface TreeItem {
  id: string;
  /** null for the top; items whose parent is not there are tops too. */
  parent: string | null;
}

export interface PlacedItem<T extends TreeItem> {
  item: T;
  level: number;
  /** Columns and rows from the upper left corner. */
  column: number;
  row: number;
}

export interface TreeLayout<T extends TreeItem> {
  /** In reading order: each before those below it. */
  placed: PlacedItem<T>[];
  columns: number;
  rows: number;
}

/** Items without any below them stand in columns of so many. */
const COLUMN_ROWS = 10;
const MOST_COLUMNS = 4;

/**
 * Places a tree from left to right: each item in the column after its parent's, beside the first of what is below it. Many items that have nothing below
 * them stand side by side, so that a full network is no endless list.
 */
export function layOutTree<T extends TreeItem>(items: readonly T[]): TreeLayout<T> {
  const known = new Set(items.map(({ id }) => id));
  const below = Map.groupBy(items, ({ parent }) => (parent !== null && known.has(parent) ? parent : null));
  const placed: PlacedItem<T>[] = [];
  const seen = new Set<string>();
  let row = 0;
  let columns = 0;

  const add = (item: T, level: number, column: number): void => {
    placed.push({ item, level, column, row });
    columns = Math.max(columns, column + 1);
  };
  const placeLeaves = (leaves: readonly T[], level: number): void => {
    const wide = Math.min(MOST_COLUMNS, Math.ceil(leaves.length / COLUMN_ROWS));
    const high = Math.ceil(leaves.length / Math.max(1, wide));
    const first = row;
    leaves.forEach((leaf, index) => {
      row = first + (index % high);
      add(leaf, level, level + Math.floor(index / high));
    });
    row = first + high;
  };
  const place = (item: T, level: number): void => {
    seen.add(item.id);
    add(item, level, level);
    const children = (below.get(item.id) ?? []).filter(({ id }) => !seen.has(id));
    const branches = children.filter(({ id }) => below.has(id));
    const first = row;
    for (const child of branches) place(child, level + 1);
    placeLeaves(
      children.filter(({ id }) => !below.has(id)),
      level + 1,
    );
    if (row === first) row += 1;
  };
  for (const top of below.get(null) ?? []) place(top, 0);
  return { placed, columns, rows: row };
}
