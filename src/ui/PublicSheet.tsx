import type { FormEvent, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import styles from './PublicSheet.module.css';

interface PublicSheetProps {
  /** Wider, for two fields side by side. */
  isWide?: boolean;
  /** A form; without it nothing is sent from here. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** The sheet of a page before anybody is signed in. */
export function PublicSheet({ isWide = false, onSubmit, ref, children }: PublicSheetProps) {
  const className = cx(styles.sheet, isWide && styles.wide);
  if (!onSubmit) return <div className={className}>{children}</div>;
  return (
    <form ref={ref} className={className} noValidate onSubmit={onSubmit}>
      {children}
    </form>
  );
}

/** What the sheet is about, below its title. */
export function SheetLead({ children }: { children: ReactNode }) {
  return <p className={styles.lead}>{children}</p>;
}

/** The way to another page before signing in, below the rest. */
export function SheetLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.aside} href={href}>
      {children}
    </a>
  );
}
