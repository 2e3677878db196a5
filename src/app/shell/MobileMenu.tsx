import { useEffect, useRef } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { SideMenu } from './SideMenu.tsx';
import styles from './MobileMenu.module.css';

interface MobileMenuProps {
  isOpen: boolean;
  onClose(): void;
}

/** The navigation as a sheet, on narrow screens; closes on Escape, a click beside it, and on going to a page. */
export function MobileMenu({ isOpen, onClose }: MobileMenuProps) {
  const t = useT();
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = sheet.current;
    if (!element) return undefined;
    const handlePress = (event: MouseEvent) => {
      // A press on the dialog itself is a press on its backdrop: everything inside is a child.
      if (event.target === element) onClose();
    };
    element.addEventListener('click', handlePress);
    element.addEventListener('close', onClose);
    if (isOpen && !element.open) element.showModal();
    if (!isOpen && element.open) element.close();
    return () => {
      element.removeEventListener('click', handlePress);
      element.removeEventListener('close', onClose);
    };
  }, [isOpen, onClose]);
  return (
    <dialog ref={sheet} aria-label={t('shell.navigation')} className={styles.sheet}>
      {isOpen ? (
        <div className={styles.inside}>
          <SideMenu />
          <IconButton icon="x" label={t('shell.closeMenu')} className={styles.close} onClick={onClose} />
        </div>
      ) : null}
    </dialog>
  );
}
