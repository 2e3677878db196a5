import type { FormEvent, HTMLAttributes, ReactNode, Ref } from 'react';
import styles from './dialog.module.css';

/** Where all windows and the tray are drawn, over everything else. */
export function DialogLayer({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} className={styles.layer} data-above-dialogs>
      {children}
    </div>
  );
}

interface DialogSlotProps extends Pick<HTMLAttributes<HTMLDivElement>, 'onMouseDown' | 'onClick' | 'children'> {
  /** What makes two openings the same window. */
  id: string;
  isHidden: boolean;
  isInert: boolean;
}

/** The room of one window, with what dims the page behind it. */
export function DialogSlot({ id, isHidden, isInert, ...rest }: DialogSlotProps) {
  return <div {...rest} role="presentation" className={styles.slot} hidden={isHidden} inert={isInert} data-dialog={id} />;
}

/** Holds the place of a window's inside while that loads. */
export function DialogLoading() {
  return <div className={styles.loading} aria-busy="true" />;
}

/** Sentences in a window. */
export function DialogText({ children }: { children: ReactNode }) {
  return <div className={styles.text}>{children}</div>;
}

interface DialogFormProps {
  /** A button in the footer names it. */
  id: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** Sentences and fields in a window, confirmed together. */
export function DialogForm({ id, onSubmit, children }: DialogFormProps) {
  return (
    <form id={id} className={styles.text} onSubmit={onSubmit} noValidate>
      {children}
    </form>
  );
}

/** Other ways to answer, below the fields. */
export function DialogAside({ children }: { children: ReactNode }) {
  return <div className={styles.aside}>{children}</div>;
}

/** A sentence beside the buttons of the footer. */
export function DialogNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
