import { useT } from '../../kernel/i18n/index.ts';
import styles from './fields.module.css';

/** Says that pasted text was cut; nothing while `cutTo` is undefined. */
export function CutNotice({ cutTo }: { cutTo: number | undefined }) {
  const t = useT();
  return (
    <span role="status" className={cutTo === undefined ? 'visually-hidden' : styles.notice}>
      {cutTo === undefined ? '' : t('form.cut', { count: cutTo })}
    </span>
  );
}
