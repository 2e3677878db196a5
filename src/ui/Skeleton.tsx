import AntSkeleton from 'antd/es/skeleton';
import { cx } from './cx.ts';
import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** CSS lengths; the default is a line of text. Give it the size of what comes, so that nothing jumps. */
  width?: number | string;
  height?: number | string;
  className?: string;
}

/** A grey place-holder: the region around it is still waiting for its content. */
export function Skeleton({ width = '100%', height = 12, className }: SkeletonProps) {
  return (
    <span aria-busy="true" className={cx(styles.room, className)}>
      <AntSkeleton.Node active rootClassName={styles.skeleton} style={{ width, height }} />
    </span>
  );
}
