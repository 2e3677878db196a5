import { Icon } from './Icon.tsx';
import styles from './HelpLink.module.css';

/** A page about what is on screen, on another site. */
export interface Help {
  address: string;
  label: string;
}

/** The way to the help of a page or a window. */
export function HelpLink({ address, label }: Help) {
  return (
    <a className={styles.help} href={address} target="_blank" rel="noopener noreferrer" aria-label={label} title={label}>
      <Icon name="circle-question-mark" size={16} />
    </a>
  );
}
