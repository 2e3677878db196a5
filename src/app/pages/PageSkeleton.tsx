import { Skeleton } from '../../ui/index.ts';
import styles from './PageSkeleton.module.css';

/** The shape of a page while its code is on its way. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" className={styles.page}>
      <Skeleton width={180} height={22} />
      <div className={styles.sheet} />
    </div>
  );
}
