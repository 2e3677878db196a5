import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import { useT } from '../kernel/i18n/index.ts';
import { IconButton } from './IconButton.tsx';
import { Menu } from './Menu.tsx';
import styles from './TabLinks.module.css';

interface TabLinksProps {
  /** What the tabs belong to, for screen readers. */
  label: string;
  /** The parts of one tab, below the tabs of the page: smaller. */
  isWithinTab?: boolean;
  tabs: readonly { to: string; label: string; isCurrent: boolean }[];
}

/** The parts of a page, each at an address of its own; where they do not fit side by side, a menu names them all. */
export function TabLinks({ label, tabs, isWithinTab = false }: TabLinksProps) {
  const t = useT();
  const { attach, isCut } = useCut();
  return (
    <div className={isWithinTab ? styles.withinTab : styles.frame}>
      <nav ref={attach} aria-label={label} className={isWithinTab ? styles.parts : styles.tabs}>
        {tabs.map((tab) => (
          <Link
            key={tab.to}
            ref={tab.isCurrent ? showInBar : undefined}
            to={tab.to}
            aria-current={tab.isCurrent ? 'page' : undefined}
            className={isWithinTab ? styles.part : styles.tab}
          >
            {tab.label}
          </Link>
        ))}
      </nav>
      {isCut ? (
        <Menu label={label} entries={tabs.map((tab) => ({ id: tab.to, label: tab.label, to: tab.to, isChecked: tab.isCurrent }))}>
          <IconButton icon="chevron-down" label={t('common.allTabs')} className={styles.all} />
        </Menu>
      ) : null}
    </div>
  );
}

/** Where the tabs do not fit, the current one comes into sight; `scrollIntoView` would move the page as well. */
function showInBar(tab: HTMLElement | null): void {
  const bar = tab?.parentElement;
  if (tab && bar) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}

/** Follows whether what is in an element goes beyond its sides. */
function useCut() {
  const [isCut, setCut] = useState(false);
  const attach = useCallback((node: HTMLElement | null) => {
    if (!node) return undefined;
    const look = () => setCut(node.scrollWidth > node.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(node);
    // Tabs come as rights and reports are known.
    const changes = new MutationObserver(look);
    changes.observe(node, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      changes.disconnect();
    };
  }, []);
  return { attach, isCut };
}
