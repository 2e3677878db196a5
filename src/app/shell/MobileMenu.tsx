import { useT } from '../../kernel/i18n/index.ts';
import { IconButton, SideSheet } from '../../ui/index.ts';
import { SideMenu } from './SideMenu.tsx';
import styles from './MobileMenu.module.css';

interface MobileMenuProps {
  isOpen: boolean;
  onClose(): void;
}

/** The navigation as a sheet, on narrow screens; closes on Escape, a click beside it, and on going to a page. */
export function MobileMenu({ isOpen, onClose }: MobileMenuProps) {
  const t = useT();
  return (
    <SideSheet isOpen={isOpen} label={t('shell.navigation')} onClose={onClose}>
      <SideMenu />
      <IconButton icon="x" label={t('shell.closeMenu')} className={styles.close} onClick={onClose} />
    </SideSheet>
  );
}
