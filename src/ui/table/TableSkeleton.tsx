import { Skeleton } from '../Skeleton.tsx';
import styles from './Table.module.css';

export interface TableSkeletonProps {
  rows: number;
  columns: number;
}

// Uneven on purpose: rows of equal bars look like a broken picture.
const WIDTHS = ['62%', '78%', '54%', '70%', '46%'];

/** Rows of the size of what is coming. */
export function TableSkeleton({ rows, columns }: TableSkeletonProps) {
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row} className={styles.row}>
          {Array.from({ length: columns }, (__, column) => (
            <td key={column} className={styles.cell}>
              <Skeleton width={WIDTHS[(row + column) % WIDTHS.length]} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
