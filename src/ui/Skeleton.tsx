import AntSkeleton from 'antd/es/skeleton';
import { cx } from './cx.ts';
import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** CSS lengths; the default is a line of text. Give it the size of what comes, so that nothing jumps. */
  width?: number | string;
  height?: number | string;
  className?: string;
}

/** A grey place-holder. Put `aria-busy` on the region that waits; the place-holder itself is silent. */
export function Skeleton({ width = '100%', height = 12, className }: SkeletonProps) {
  return (
    <span aria-hidden="true" className={cx(styles.room, className)}>
      <AntSkeleton.Node active rootClassName={styles.skeleton} style={{ width, height }} />
    </span>
  );
}
