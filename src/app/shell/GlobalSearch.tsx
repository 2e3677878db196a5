import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { deriveSearch } from '../../engine/resources/derive.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { can, findUser, useSession } from '../../kernel/session/index.ts';
import { areShortcutsOn, useSingleKey } from '../../kernel/shortcuts.ts';
import { cx, IconButton, TextInput } from '../../ui/index.ts';
import { resources } from '../resources.ts';
import { usePaletteKey } from '../palette/open-palette.ts';
import { rememberRecent } from '../palette/recent.ts';
import { actionsId, keepKindsOff, readKindsOff } from './search.ts';
import { SearchPanel } from './SearchPanel.tsx';
import styles from './GlobalSearch.module.css';
import { useSearch } from './use-search.ts';

/** The search over everything: opens with `/`, arrows choose, Enter goes, Escape or a click beside it closes. */
export function GlobalSearch() {
  const t = useT();
  const navigate = useNavigate();
  const session = useSession();
  const allowed = useMemo(() => (session.state === 'unauthenticated' ? [] : deriveSearch(resources, (name) => can(name))), [session]);
  const [off, setOff] = useState<readonly string[]>(readKindsOff);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const groups = useMemo(() => allowed.filter(({ resource }) => !off.includes(resource.name)), [allowed, off]);
  const search = useSearch(groups, text, isOpen);
  const hits = search.state === 'found' ? search.results.flatMap((result) => result.hits) : [];
  const active = hits.find((hit) => hit.id === chosen);

  const open = useCallback(() => {
    setOpen(true);
    // After the paint: on narrow screens the box is not there before.
    requestAnimationFrame(() => input.current?.focus());
  }, []);
  const close = useCallback(() => {
    setOpen(false);
    setChosen(undefined);
  }, []);
  useSingleKey('/', open);
  usePaletteKey();
  useEffect(() => {
    if (!isOpen) return undefined;
    const handlePointer = (event: PointerEvent) => {
      // The menu of a hit hangs in the page, not in the box.
      if (event.target instanceof Element && !box.current?.contains(event.target) && !event.target.closest('[role="menu"]')) close();
    };
    document.addEventListener('pointerdown', handlePointer);
    return () => document.removeEventListener('pointerdown', handlePointer);
  }, [isOpen, close]);

  const handleGo = (path: string, isNewTab: boolean) => {
    if (isNewTab) window.open(path, '_blank', 'noopener');
    else {
      const hit = hits.find((one) => one.path === path);
      const userId = findUser()?.id;
      if (hit && userId !== undefined) rememberRecent(userId, { label: hit.title, detail: hit.detail, path });
      close();
      setText('');
      input.current?.blur();
      void navigate(path);
    }
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
      input.current?.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const at = hits.findIndex((hit) => hit.id === chosen);
      const next = event.key === 'ArrowDown' ? at + 1 : at <= 0 ? hits.length - 1 : at - 1;
      const id = hits[next % Math.max(1, hits.length)]?.id;
      setChosen(id);
      if (id) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && event.altKey && active) {
      event.preventDefault();
      document.getElementById(actionsId(active.id))?.click();
    } else if (event.key === 'Enter' && active) handleGo(active.path, event.ctrlKey || event.metaKey);
  };
  const handleKind = (name: string) => {
    const next = off.includes(name) ? off.filter((one) => one !== name) : [...off, name];
    setOff(next);
    keepKindsOff(next);
  };

  if (allowed.length === 0) return null;
  return (
    <>
      <div className={styles.openButton}>
        <IconButton icon="search" label={t('search.open')} onClick={open} />
      </div>
      <div ref={box} role="search" className={cx(styles.search, isOpen && styles.open)}>
        <TextInput
          ref={input}
          type="search"
          icon="search"
          role="combobox"
          aria-label={t('search.label')}
          aria-expanded={isOpen}
          aria-controls={isOpen ? 'search-results' : undefined}
          aria-activedescendant={active?.id}
          aria-autocomplete="list"
          placeholder={t('search.placeholder')}
          className={styles.box}
          maxLength={200}
          value={text}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setChosen(undefined);
          }}
          onKeyDown={handleKey}
          after={isOpen ? '' : <SearchKeyHint />}
        />
        <div className={styles.closeButton}>
          <IconButton icon="x" label={t('search.close')} onClick={close} />
        </div>
        {isOpen ? (
          <SearchPanel
            search={search}
            kinds={allowed.map(({ resource }) => ({ name: resource.name, isOn: !off.includes(resource.name) }))}
            chosen={chosen}
            onKind={handleKind}
            onGo={handleGo}
            onReturn={() => input.current?.focus()}
            onDone={close}
          />
        ) : null}
      </div>
    </>
  );
}

function SearchKeyHint() {
  return areShortcutsOn() ? (
    <kbd aria-hidden="true" className={styles.hint}>
      {'/'}
    </kbd>
  ) : null;
}
