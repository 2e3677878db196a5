import { cloneElement, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { cx } from './cx.ts';
import { Floating } from './Floating.tsx';
import { Icon, type IconName } from './Icon.tsx';
import type { Placement } from './place-floating.ts';
import styles from './Menu.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  /** A second, quieter line: why it is disabled, or what it means. */
  detail?: string;
  icon?: IconName;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** One of a choice: drawn with a tick. */
  isChecked?: boolean;
  /** A line above it. */
  hasDivider?: boolean;
  /** A small heading above it. */
  heading?: string;
  /** A page to go to. */
  to?: string;
  onSelect?(): void;
}

interface MenuTriggerProps {
  ref?: React.Ref<HTMLButtonElement>;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
  onClick?(event: React.MouseEvent<HTMLButtonElement>): void;
  onKeyDown?(event: KeyboardEvent<HTMLButtonElement>): void;
}

interface MenuProps {
  /** A function is asked when the menu opens: for menus of which a page has many. */
  entries: readonly MenuEntry[] | (() => readonly MenuEntry[]);
  /** The menu's name for screen readers. */
  label: string;
  placement?: Placement;
  /** The button that opens it. */
  children: ReactElement<MenuTriggerProps>;
}

/** A button and its menu: arrows, Home, End, first letters, Enter, Escape (APG menu button). */
export function Menu({ entries, label, placement = 'bottom-end', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (isFocusBack: boolean) => {
    setOpen(false);
    if (isFocusBack) trigger.current?.focus();
  };
  return (
    <>
      {cloneElement(children, {
        ref: trigger,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        onClick: () => setOpen(!isOpen),
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {isOpen ? (
        <MenuList
          id={id}
          entries={typeof entries === 'function' ? entries() : entries}
          label={label}
          placement={placement}
          anchor={trigger}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface MenuListProps {
  id: string;
  entries: readonly MenuEntry[];
  label: string;
  placement: Placement;
  anchor: React.RefObject<HTMLButtonElement | null>;
  onClose(isFocusBack: boolean): void;
}

function MenuList({ id, entries, label, placement, anchor, onClose }: MenuListProps) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const navigate = useNavigate();
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  useEffect(() => {
    items()[0]?.focus();
    const handlePointer = (event: PointerEvent) => {
      const { target } = event;
      if (target instanceof Node && !box.current?.contains(target) && !anchor.current?.contains(target)) onClose(false);
    };
    document.addEventListener('pointerdown', handlePointer, true);
    return () => document.removeEventListener('pointerdown', handlePointer, true);
    // Once, on opening.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const select = (entry: MenuEntry) => {
    if (entry.isDisabled) return;
    onClose(true);
    entry.onSelect?.();
    if (entry.to !== undefined) void navigate(entry.to);
  };

  const handleKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const move = (to: number) => {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    };
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(-1);
    else if (event.key === 'Tab') onClose(false);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      onClose(true);
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
      const text = event.timeStamp - typed.current.at < 600 ? typed.current.text + event.key : event.key;
      typed.current = { text, at: event.timeStamp };
      const from = text.length === 1 ? at + 1 : at;
      const order = [...all.slice(from), ...all.slice(0, from)];
      order.find((item) => item.textContent.trim().toLocaleLowerCase().startsWith(text.toLocaleLowerCase()))?.focus();
    }
  };

  return (
    <Floating anchor={anchor} placement={placement} className={styles.panel} ref={box}>
      <div id={id} role="menu" aria-label={label} tabIndex={-1} className={styles.menu} onKeyDown={handleKey}>
        {entries.map((entry) => (
          <MenuRow key={entry.id} entry={entry} onSelect={() => select(entry)} />
        ))}
      </div>
    </Floating>
  );
}

function MenuRow({ entry, onSelect }: { entry: MenuEntry; onSelect(): void }) {
  const isChoice = entry.isChecked !== undefined;
  return (
    <>
      {entry.hasDivider ? <hr className={styles.divider} /> : null}
      {entry.heading ? (
        <div role="presentation" className={styles.heading}>
          {entry.heading}
        </div>
      ) : null}
      <button
        type="button"
        role={isChoice ? 'menuitemradio' : 'menuitem'}
        aria-checked={isChoice ? entry.isChecked : undefined}
        aria-disabled={entry.isDisabled || undefined}
        tabIndex={-1}
        className={cx(styles.item, entry.isDanger && styles.danger)}
        onClick={onSelect}
        onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      >
        {entry.icon ? <Icon name={entry.icon} /> : null}
        <span className={styles.texts}>
          <span>{entry.label}</span>
          {entry.detail ? <span className={styles.detail}>{entry.detail}</span> : null}
        </span>
        {isChoice ? <span className={styles.tick}>{entry.isChecked ? <Icon name="check" size={14} /> : null}</span> : null}
      </button>
    </>
  );
}
