import AntdSelect, { type SelectProps } from 'antd/es/select';
import { createContext, use, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AriaAttributes, KeyboardEvent, ReactNode, RefObject, UIEvent } from 'react';
import { Icon, type IconName } from '../Icon.tsx';
import styles from './choice.module.css';

export type ChoiceKey = string | number;

export interface ChoiceOption {
  value: ChoiceKey;
  label: string;
  detail?: string;
  /** Any `#rrggbb`, shown beside the words. */
  color?: string;
  icon?: IconName;
  /** Its words are in this language, where that is not the page's. */
  lang?: string;
}

type Item = Pick<ChoiceOption, 'value' | 'label'>;
type Antd = SelectProps<Item | Item[] | null, ChoiceOption>;

export interface ChoiceListProps {
  id?: string;
  /** Attributes of the input: its name, what describes it, whether it is wrong. */
  aria: AriaAttributes;
  options: readonly ChoiceOption[];
  selected: readonly ChoiceOption[];
  isMultiple?: boolean;
  placeholder?: string;
  icon?: IconName;
  /** Without frame and background. */
  isPlain?: boolean;
  hasAutofocus?: boolean;
  disabled?: boolean;
  /** Searching is done elsewhere; else the labels are searched. */
  search?: { text: string; onSearch: (text: string) => void };
  /** Below the options, or instead of them: loading, nothing found, failed, more. */
  note?: ReactNode;
  /** A chosen one of several. */
  renderTag?: Antd['tagRender'];
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  onScroll?: (event: UIEvent<HTMLElement>) => void;
  /** Where the caller decides whether the list is open. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  onSelect: (selected: ChoiceOption[]) => void;
  onBlur?: () => void;
}

const LIST_HEIGHT = 292;
interface Popup {
  frame: RefObject<HTMLElement | null> | undefined;
  isOpen: boolean;
  isEmpty: boolean;
  note: ReactNode;
}
const PopupContext = createContext<Popup>({ frame: undefined, isOpen: false, isEmpty: true, note: null });

/** What is in the popup. antd keeps a list that was open once, where assistive technology would find it, and gives it no name. */
function OpenList({ children }: { children: ReactNode }) {
  const { frame, isOpen, isEmpty, note } = use(PopupContext);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = nameOf(frame?.current?.querySelector('input'));
    if (name) box.current?.querySelector('[role="listbox"]')?.setAttribute('aria-label', name);
  });
  if (!isOpen) return null;
  return (
    <div ref={box} data-choices>
      <div hidden={isEmpty}>{children}</div>
      {note}
    </div>
  );
}

/** A dot in the colour of a choice; nothing for one without. */
export function Swatch({ color }: { color: string | undefined }) {
  return color === undefined ? null : <span className={styles.swatch} style={{ background: color }} />;
}

const renderPopup: Antd['popupRender'] = (list) => <OpenList>{list}</OpenList>;
const renderOption: Antd['optionRender'] = ({ data }) => (
  <span className={styles.words} lang={data.lang}>
    <span>
      <Swatch color={data.color} />
      {data.icon ? <Icon name={data.icon} size={14} className={styles.icon} /> : null}
      {data.label}
    </span>
    {data.detail ? <span className={styles.detail}>{data.detail}</span> : null}
  </span>
);

function nameOf(input: HTMLInputElement | null | undefined): string | undefined {
  const label = document.getElementById(input?.getAttribute('aria-labelledby') ?? '') ?? input?.labels?.[0];
  return input?.getAttribute('aria-label') ?? label?.textContent.replace(/\*$/, '');
}

/**
 * antd's Select as the console has it: what is said of it is said of its input, the chosen words describe it, and all options are in the
 * accessibility tree while the list is open. Escape closes the list before it closes the window.
 */
export function ChoiceList(props: ChoiceListProps) {
  const ownId = useId();
  const { id = ownId, aria, options, selected, isMultiple = false, hasAutofocus, search } = props;
  const frame = useRef<HTMLSpanElement>(null);
  const [isOpenHere, setOpen] = useState(false);
  const isOpen = props.isOpen ?? isOpenHere;
  const words = isMultiple ? undefined : selected[0]?.label;
  useInputAttributes(frame, {
    ...aria,
    'aria-describedby': [words && `${id}-value`, aria['aria-describedby']].filter(Boolean).join(' ') || undefined,
    'data-autofocus': hasAutofocus || undefined,
    ...(options.length === 0 ? { 'aria-activedescendant': undefined } : {}),
  });

  function handleOpen(next: boolean): void {
    if (next === isOpen) return;
    setOpen(next);
    props.onOpenChange?.(next);
  }

  function handleKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      handleOpen(false);
      return;
    }
    props.onKeyDown?.(event);
  }

  /** antd takes Tab in an open list as Enter, which in a list for several takes the last choice back. Tab only moves on here. */
  function handleTab(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Tab' || !isOpen) return;
    event.stopPropagation();
    handleOpen(false);
  }

  const { note } = props;
  const isEmpty = options.length === 0;
  const popup = useMemo(() => ({ frame, isOpen, isEmpty, note }), [isOpen, isEmpty, note]);
  return (
    <PopupContext value={popup}>
      <span
        ref={frame}
        role="presentation"
        className={styles.frame}
        onKeyDownCapture={handleTab}
        onKeyDown={handleKeyDown}
        onBlur={({ currentTarget, relatedTarget }) => {
          const isInList = relatedTarget instanceof Element && relatedTarget.closest('[data-choices]') !== null;
          if (!isInList && !currentTarget.contains(relatedTarget)) props.onBlur?.();
        }}
      >
        <AntdSelect<Item | Item[] | null, ChoiceOption>
          id={id}
          className={styles.select}
          mode={isMultiple ? 'multiple' : undefined}
          labelInValue
          value={isMultiple ? selected.map(toItem) : selected[0] ? toItem(selected[0]) : null}
          options={[...options]}
          placeholder={props.placeholder}
          prefix={props.icon && <Icon name={props.icon} size={14} />}
          variant={props.isPlain ? 'borderless' : 'outlined'}
          disabled={props.disabled}
          status={aria['aria-invalid'] ? 'error' : undefined}
          showSearch
          optionFilterProp="label"
          {...(search ? { filterOption: false, searchValue: search.text, onSearch: search.onSearch } : {})}
          open={isOpen}
          onOpenChange={handleOpen}
          virtual={false}
          listHeight={LIST_HEIGHT}
          popupMatchSelectWidth={false}
          classNames={{ popup: { root: styles.popup } }}
          notFoundContent={NOTHING}
          suffixIcon={<Icon name="chevron-down" size={14} />}
          menuItemSelectedIcon={<Icon name="check" size={14} className={styles.tick} />}
          tagRender={props.renderTag}
          optionRender={renderOption}
          popupRender={renderPopup}
          onPopupScroll={props.onScroll}
          onChange={(next) => {
            const items = Array.isArray(next) ? next : next ? [next] : [];
            props.onSelect(items.flatMap(({ value }) => [...options, ...selected].find((option) => option.value === value) ?? []));
          }}
        />
        {words ? (
          <span id={`${id}-value`} hidden>
            {words}
          </span>
        ) : null}
      </span>
    </PopupContext>
  );
}

/** Without anything there antd would not open the list, and what is said instead of options could not be seen. */
const NOTHING = <></>;

function toItem({ value, label }: ChoiceOption): Item {
  return { value, label };
}

/** antd puts what it is given on its frame too, where it is not allowed or says nothing: these go on the input alone. */
function useInputAttributes(frame: RefObject<HTMLElement | null>, attributes: Record<string, unknown>): void {
  useLayoutEffect(() => {
    const input = frame.current?.querySelector('input');
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === false) input?.removeAttribute(name);
      else input?.setAttribute(name, String(value));
    }
  });
}
