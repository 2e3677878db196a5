import Dropdown from 'antd/es/dropdown';
import type { MenuProps as AntMenuProps } from 'antd/es/menu';
import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type AriaAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { useNavigate } from 'react-router';
import { Icon, type IconName } from './Icon.tsx';
import { ANTD_PLACEMENTS, PopupSpot, roomBeside, type Placement } from './popup.tsx';
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
  onClick?(event: React.MouseEvent<HTMLElement>): void;
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
  const navigate = useNavigate();
  const select = (key: string) => {
    const entry = shown.find((one) => one.id === key);
    onClose(true);
    entry?.onSelect?.();
    if (entry?.to !== undefined) void navigate(entry.to);
  };
  const { shown, hold } = useHeldEntries(entries);
  // antd hands this on to rc-overflow, which goes by the place of an entry otherwise: entries that come or go would replace those below them.
  const menu: AntMenuProps & { itemKey: 'key' } = {
    itemKey: 'key',
    id,
    'aria-label': label,
    items: antItems(shown),
    selectable: false,
    onClick: ({ key }) => select(key),
    style: { maxHeight: roomBeside(anchor.current) },
  };
  return (
    <Dropdown
      open
      trigger={[]}
      menu={menu}
      placement={ANTD_PLACEMENTS[placement]}
      // A render prop of antd, no component.
      // oxlint-disable-next-line react/no-unstable-nested-components
      popupRender={(list) => (
        <MenuKeys anchor={anchor} onClose={onClose} onPress={hold}>
          {list}
        </MenuKeys>
      )}
    >
      <PopupSpot anchor={anchor} />
    </Dropdown>
  );
}

/** Entries that come or go during a press wait for its end; the press would hit another entry, or none. */
function useHeldEntries(entries: readonly MenuEntry[]): { shown: readonly MenuEntry[]; hold: () => void } {
  const [held, setHeld] = useState<readonly MenuEntry[]>();
  useEffect(() => {
    if (!held) return undefined;
    // The click comes after the pointer is up.
    const letGo = () => void setTimeout(() => setHeld(undefined));
    for (const type of ENDS_OF_PRESS) document.addEventListener(type, letGo);
    return () => ENDS_OF_PRESS.forEach((type) => document.removeEventListener(type, letGo));
  }, [held]);
  return { shown: held ?? entries, hold: () => setHeld(entries) };
}

const ENDS_OF_PRESS = ['pointerup', 'pointercancel'];

type AntItem = NonNullable<AntMenuProps['items']>[number];

/** Entries as antd's items; a heading begins a group that goes on to the next line or heading. */
function antItems(entries: readonly MenuEntry[]): AntItem[] {
  const items: AntItem[] = [];
  let group: AntItem[] = items;
  for (const entry of entries) {
    if (entry.hasDivider || entry.heading) group = items;
    if (entry.hasDivider) items.push({ type: 'divider', key: `line-${entry.id}` });
    if (entry.heading) items.push({ type: 'group', key: `heading-${entry.id}`, label: entry.heading, children: (group = []) });
    group.push(antItem(entry));
  }
  return items;
}

function antItem({ id, label, detail, icon, isDanger, isDisabled, isChecked }: MenuEntry): AntItem {
  const isChoice = isChecked !== undefined;
  // antd hands these on to the element; a disabled entry can be reached, because it says why it is.
  const attributes: AriaAttributes & { role?: string; tabIndex: number } = {
    tabIndex: -1,
    ...(isChoice ? { role: 'menuitemradio', 'aria-checked': isChecked } : {}),
  };
  const texts = (
    <span className={styles.texts}>
      <span>{label}</span>
      {detail ? <span className={styles.detail}>{detail}</span> : null}
    </span>
  );
  return {
    key: id,
    label: texts,
    icon: icon && <Icon name={icon} />,
    danger: isDanger,
    disabled: isDisabled,
    extra: isChoice ? <span className={styles.tick}>{isChecked ? <Icon name="check" size={14} /> : null}</span> : undefined,
    ...attributes,
  };
}

interface MenuKeysProps {
  anchor: React.RefObject<HTMLButtonElement | null>;
  onClose(isFocusBack: boolean): void;
  onPress(): void;
  children: ReactNode;
}

/** The keys of a menu: antd's moves a frame late, skips what is disabled and knows no first letters. */
function MenuKeys({ anchor, onClose, onPress, children }: MenuKeysProps) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  useEffect(() => {
    // antd puts a popup into the page just after its first effects.
    queueMicrotask(() => items()[0]?.focus({ preventScroll: true }));
    const handlePointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target) && !anchor.current?.contains(target)) onClose(false);
    };
    document.addEventListener('pointerdown', handlePointer, true);
    return () => document.removeEventListener('pointerdown', handlePointer, true);
    // Once, on opening.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const handleKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    if (event.key === 'Tab') return onClose(false);
    const next = nextItem(event, all, at, typed.current);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === 'close') onClose(true);
    else if (next === 'run') all[at]?.click();
    else next.focus();
  };

  return (
    <div
      ref={box}
      role="presentation"
      className={styles.panel}
      onKeyDownCapture={handleKey}
      onPointerDown={onPress}
      onPointerMove={({ target }) =>
        target instanceof Element && target.closest<HTMLElement>('[role^="menuitem"]')?.focus({ preventScroll: true })
      }
    >
      {children}
    </div>
  );
}

/** What a key does in a menu (APG): the entry to go to, `run` or `close`; undefined for keys that it does not know. */
function nextItem(
  event: KeyboardEvent,
  all: readonly HTMLElement[],
  at: number,
  typed: { text: string; at: number },
): HTMLElement | 'run' | 'close' | undefined {
  if (event.key === 'ArrowDown') return all[(at + 1) % all.length];
  if (event.key === 'ArrowUp') return all.at(at - 1);
  if (event.key === 'Home') return all[0];
  if (event.key === 'End') return all.at(-1);
  if (event.key === 'Escape') return 'close';
  if (event.key === 'Enter' || event.key === ' ') return 'run';
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return undefined;
  typed.text = event.timeStamp - typed.at < 600 ? typed.text + event.key : event.key;
  typed.at = event.timeStamp;
  const from = typed.text.length === 1 ? at + 1 : at;
  const order = [...all.slice(from), ...all.slice(0, from)];
  return order.find((item) => item.textContent.trim().toLocaleLowerCase().startsWith(typed.text.toLocaleLowerCase())) ?? all[at];
}
