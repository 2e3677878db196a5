import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../Icon.tsx';
import styles from './Table.module.css';

export interface TableRowProps {
  id: number;
  isSelected: boolean;
  /** Why it may no longer belong to the list, such as `removed`; drawn paler. */
  mark: string | undefined;
  children: ReactNode;
}

/** One record of a table. */
export function TableRow({ id, isSelected, mark, children }: TableRowProps) {
  return (
    <tr className={styles.row} data-selected={isSelected || undefined} data-mark={mark} data-row-id={id}>
      {children}
    </tr>
  );
}

export interface TableCellProps {
  /** The cell that names its row. */
  isRowHead?: boolean;
  align?: 'start' | 'end' | undefined;
  /** Where it stays while the table scrolls sideways. */
  pin?: CSSProperties | undefined;
  /** Tints the cell for a moment; the other letter starts the tint again. */
  flash?: 'a' | 'b' | undefined;
  children: ReactNode;
}

/** One value. */
export function TableCell({ isRowHead = false, align, pin, flash, children }: TableCellProps) {
  const Cell = isRowHead ? 'th' : 'td';
  return (
    <Cell
      scope={isRowHead ? 'row' : undefined}
      className={styles.cell}
      data-align={align}
      data-pin={pin ? '' : undefined}
      style={pin}
      data-flash={flash}
    >
      {children}
    </Cell>
  );
}

export interface NarrowPart {
  key: string;
  /** Says what a number is, where there are no column heads. */
  label: string | undefined;
  flash: 'a' | 'b' | undefined;
  content: ReactNode;
}

/** More fields than these are below the name of a record in place of beside it. */
const MOST_BESIDE = 3;

/** All of a record in one cell, for a narrow screen: its name, and beside it a few values. */
export function NarrowCell({ main, parts, note }: { main: ReactNode; parts: readonly NarrowPart[]; note: ReactNode }) {
  return (
    <th scope="row" className={`${styles.cell} ${styles.narrowCell}`}>
      <span className={cx(styles.narrow, parts.length > MOST_BESIDE && styles.stacked)}>
        <span className={styles.narrowMain}>{main}</span>
        <span className={styles.narrowEnd}>
          {parts.map((part) => (
            <span key={part.key} className={styles.part} data-flash={part.flash}>
              {part.label === undefined ? null : <span className={styles.partLabel}>{part.label}</span>}
              {part.content}
            </span>
          ))}
        </span>
      </span>
      {note}
    </th>
  );
}

/** The cell of a row's checkbox. */
export function CheckCell({ children }: { children: ReactNode }) {
  return (
    <td className={styles.check} data-own-clicks>
      {children}
    </td>
  );
}

/** The cell at a row's end. */
export function MenuCell({ children }: { children: ReactNode }) {
  return (
    <td className={styles.menuCell} data-own-clicks>
      {children}
    </td>
  );
}

/** Says below a row's name why it may no longer belong to the list. */
export function RowNote({ children }: { children: ReactNode }) {
  return <span className={styles.mark}>{children}</span>;
}

export interface RowNameProps {
  /** The page of the record. */
  to?: string | undefined;
  /** Opens a record that has no page. */
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

/** A record's name: a link, a button, or plain text that can take the focus, so that the keys of a list find every row. */
export function RowName({ to, onOpen, children }: RowNameProps) {
  if (to !== undefined) {
    return (
      <a className={styles.link} href={to} data-row-focus data-page-link>
        {children}
      </a>
    );
  }
  if (onOpen) {
    return (
      <button type="button" className={styles.link} data-row-focus onClick={onOpen}>
        {children}
      </button>
    );
  }
  return (
    <span className={styles.linkText} tabIndex={-1} data-row-focus>
      {children}
    </span>
  );
}

/** A link in a cell; `isName`: it names the row. */
export function CellLink({ to, isName = false, children }: { to: string; isName?: boolean; children: ReactNode }) {
  return (
    <a href={to} className={isName ? styles.link : undefined} data-page-link>
      {children}
    </a>
  );
}

/** Opens a row's menu; a trigger for `Menu`, which gives it the rest of its props. */
export function RowMenuButton({ label, ...trigger }: { label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" {...trigger} className={styles.menuButton} aria-label={label} data-row-menu>
      <Icon name="ellipsis" />
    </button>
  );
}

/** The heads of a table; hidden from sight where there is nothing to head. */
export function TableHead({ isHidden = false, children }: { isHidden?: boolean; children: ReactNode }) {
  return (
    <thead className={isHidden ? 'visually-hidden' : undefined}>
      <tr>{children}</tr>
    </thead>
  );
}

/** The head over the checkboxes. */
export function CheckHead({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className={styles.checkHead}>
      {children}
    </th>
  );
}

/** A head without sorting; `isMenu`: over the menus, for screen readers only. */
export function PlainHead({ isMenu = false, children }: { isMenu?: boolean; children: string }) {
  return (
    <th scope="col" className={isMenu ? styles.menuHead : styles.head}>
      {isMenu ? <span className="visually-hidden">{children}</span> : children}
    </th>
  );
}

/** Heads the rows below it, over all columns. */
export function GroupRow({ columns, children }: { columns: number; children: string }) {
  return (
    <tr className={styles.group}>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

/** The rows of a table. */
export function TableBody({ children }: { children: ReactNode }) {
  return <tbody>{children}</tbody>;
}
