import { countBadge, Icon, type IconName } from '../../ui/index.ts';
import styles from './GroupHeading.module.css';

interface GroupHeadingProps {
  /** What the group is labelled by. */
  id: string;
  title: string;
  icon?: IconName;
  /** How many there are in all. */
  total?: number;
}

/** The heading of one kind among what the search and the palette list. */
export function GroupHeading({ id, title, icon, total }: GroupHeadingProps) {
  return (
    <div id={id} role="presentation" className={styles.heading}>
      {icon ? <Icon name={icon} size={14} /> : null}
      {title}
      {total === undefined ? null : <span className={styles.badge}>{countBadge(total)}</span>}
    </div>
  );
}
