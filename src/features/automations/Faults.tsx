import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { itemText } from '../../engine/form/item-text.ts';
import styles from './editor.module.css';

/** The sentences of faults; nothing without any. */
export function Faults({ items, id }: { items: readonly ErrorItem[]; id?: string }) {
  if (items.length === 0) return null;
  return (
    <p className={styles.fault} id={id}>
      {items.map((item) => itemText(item)).join(' ')}
    </p>
  );
}
