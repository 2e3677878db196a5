import { lazy, Suspense, type ReactNode } from 'react';
import styles from './SideSheet.module.css';

const Drawer = lazy(() => import('antd/es/drawer'));

interface SideSheetProps {
  isOpen: boolean;
  /** Escape, or a click beside it. */
  onClose(): void;
  /** Its name for screen readers. */
  label: string;
  children: ReactNode;
}

/** A sheet from the side, over the page. */
export function SideSheet({ isOpen, onClose, label, children }: SideSheetProps) {
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Drawer
        open
        placement="left"
        width="min(300px, 84vw)"
        closable={false}
        aria-label={label}
        rootClassName={styles.sheet}
        onClose={onClose}
      >
        {children}
      </Drawer>
    </Suspense>
  );
}
