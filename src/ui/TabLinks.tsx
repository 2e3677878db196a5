import { Link } from 'react-router';
import styles from './TabLinks.module.css';

interface TabLinksProps {
  /** What the tabs belong to, for screen readers. */
  label: string;
  tabs: readonly { to: string; label: string; isCurrent: boolean }[];
}

/** The parts of a page, each at an address of its own. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          ref={tab.isCurrent ? showInBar : undefined}
          to={tab.to}
          aria-current={tab.isCurrent ? 'page' : undefined}
          className={styles.tab}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

/** Where the tabs do not fit, the current one comes into sight; `scrollIntoView` would move the page as well. */
function showInBar(tab: HTMLElement | null): void {
  const bar = tab?.parentElement;
  if (tab && bar) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}
