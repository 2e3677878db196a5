import type { ComponentProps, CSSProperties, ReactNode, Ref } from 'react';
import { Button } from '../Button.tsx';
import { Checkbox } from '../Checkbox.tsx';
import { cx } from '../cx.ts';
import { SearchInput } from '../SearchInput.tsx';
import styles from './ListPage.module.css';

interface Props {
  children: ReactNode;
}

/** A list page: it fills what the window leaves, and the list scrolls inside it. */
export function ListLayout({ children }: Props) {
  return <div className={styles.page}>{children}</div>;
}

/** Buttons over a list that is part of another page. */
export function ListButtons({ children }: Props) {
  return <div className={styles.part}>{children}</div>;
}

/** What a list has above its table; `minHeight` in pixels, so that nothing moves when its content comes. */
export function ListStripBox({ minHeight, children }: Props & { minHeight?: CSSProperties['minHeight'] }) {
  return (
    <div className={styles.strip} style={{ minHeight }}>
      {children}
    </div>
  );
}

/** The card that holds filters, table and foot of a list. */
export function ListCard({ label, children }: Props & { label: string }) {
  return (
    <section className={styles.card} aria-label={label}>
      {children}
    </section>
  );
}

/** The line over the table: filters and tools. */
export function ListBar({ children }: Props) {
  return <div className={styles.bar}>{children}</div>;
}

/** The filters of a list. */
export function FilterGroup({ label, children }: Props & { label: string }) {
  return (
    <div className={styles.filters} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** The search box among the filters. */
export function FilterSearch(props: Omit<ComponentProps<typeof SearchInput>, 'className'>) {
  return <SearchInput {...props} className={styles.search} />;
}

/** The tools of a list, at the end of its line. */
export function ToolGroup({ children }: Props) {
  return <div className={styles.tools}>{children}</div>;
}

/** The words of a tool, which a narrow screen leaves out. `isName`: a name that stays, and is cut when it is long. */
export function ToolText({ isName = false, children }: Props & { isName?: boolean }) {
  return <span className={isName ? styles.viewName : styles.toolText}>{children}</span>;
}

/** A quieter word behind the words of a tool. */
export function ToolNote({ children }: Props) {
  return <i className={styles.viewChanged}>{children}</i>;
}

/** How old the rows are. */
export function ListAge({ children }: Props) {
  return <span className={styles.updated}>{children}</span>;
}

/** A banner over the list. */
export function ListNotice({ children }: Props) {
  return <div className={styles.stale}>{children}</div>;
}

/** In place of the rows when there are none. */
export function ListStateFrame({ children }: Props) {
  return <div className={styles.stateBox}>{children}</div>;
}

/** A button that floats over the first rows. */
export function FloatingRowsButton({ onClick, children }: Props & { onClick: () => void }) {
  return (
    <Button className={styles.fresh} size="small" icon="arrow-up" onClick={onClick}>
      {children}
    </Button>
  );
}

export interface PanelProps extends Props {
  isWide?: boolean;
  isBusy?: boolean;
  ref?: Ref<HTMLDivElement>;
}

/** The inside of a popover that edits something of a list. */
export function Panel({ isWide = false, isBusy = false, ref, children }: PanelProps) {
  return (
    <div ref={ref} className={cx(styles.editor, isWide && styles.wide)} aria-busy={isBusy || undefined}>
      {children}
    </div>
  );
}

/** The head of a panel. */
export function PanelHead({ children }: Props) {
  return <div className={styles.editorHead}>{children}</div>;
}

/** The middle of a panel: a group with the name that the element `labelledBy` holds. */
export function PanelBody({ labelledBy, children }: Props & { labelledBy: string }) {
  return (
    <div className={styles.editorBody} role="group" aria-labelledby={labelledBy}>
      {children}
    </div>
  );
}

/** The foot of a panel. */
export function PanelFoot({ children }: Props) {
  return <div className={styles.editorFoot}>{children}</div>;
}

/** A list of choices that scrolls. */
export function ChoiceList({ children }: Props) {
  return <div className={styles.choices}>{children}</div>;
}

/** One choice of a list, as wide as the list. */
export function ChoiceCheckbox(props: Omit<ComponentProps<typeof Checkbox>, 'className'>) {
  return <Checkbox {...props} className={styles.choice} />;
}

/** A quieter second line of a choice. */
export function ChoiceDetail({ children }: Props) {
  return <span className={styles.choiceDetail}>{children}</span>;
}

/** A quiet sentence in a panel. */
export function PanelNote({ children }: Props) {
  return <p className={styles.note}>{children}</p>;
}

/** An input and the button that applies it, in one line. Enter applies it too. */
export function InlineForm({ onSubmit, children }: Props & { onSubmit: () => void }) {
  return (
    <form
      className={styles.textFilter}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Keys and what they do. */
export function ShortcutList({ shortcuts }: { shortcuts: readonly { keys: readonly string[]; text: string }[] }) {
  return (
    <dl className={styles.shortcuts}>
      {shortcuts.map(({ keys, text }) => (
        <div key={text} className={styles.shortcut}>
          <dt className={styles.keys}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
