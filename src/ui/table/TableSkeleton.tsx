export interface TableSkeletonProps {
  rows: number;
  columns: number;
}

// Uneven on purpose: rows of equal bars look like a broken picture.
const WIDTHS = ['62%', '78%', '54%', '70%', '46%'];

/** Rows of the size of what is coming. */
export function TableSkeleton({ rows, columns }: TableSkeletonProps) {
  return (
    <tbody aria-hidden className="table-skeleton">
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row} className="table-row">
          {Array.from({ length: columns }, (__, column) => (
            <td key={column} className="table-cell">
              <span className="skeleton-bar" style={{ inlineSize: WIDTHS[(row + column) % WIDTHS.length] }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
