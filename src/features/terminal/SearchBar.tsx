import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton, TextInput } from '../../ui/index.ts';
import type { TerminalSession } from './terminal-session.ts';
import styles from './terminal.module.css';

const DECORATIONS = {
  matchBackground: '#f0b440',
  matchOverviewRuler: '#f0b440',
  activeMatchBackground: '#e0780a',
  activeMatchColorOverviewRuler: '#e0780a',
};

/** Finds text in what a terminal has shown: Enter goes up, Shift+Enter down, Escape closes. */
export function SearchBar({ session, onClose }: { session: TerminalSession; onClose(): void }) {
  const t = useT();
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (wanted: string, isBack: boolean): void => {
    const options = { decorations: DECORATIONS };
    setFound(wanted === '' || (isBack ? session.search.findPrevious(wanted, options) : session.search.findNext(wanted, options)));
  };
  const close = (): void => {
    session.search.clearDecorations();
    onClose();
    session.terminal.focus();
  };
  return (
    <div className={styles.search} role="search">
      <TextInput
        icon="search"
        autoFocus
        aria-label={t('terminal.search')}
        placeholder={t('terminal.search')}
        value={text}
        isInvalid={!isFound}
        maxLength={200}
        onChange={(event) => {
          setText(event.target.value);
          find(event.target.value, true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find(text, !event.shiftKey);
          if (event.key === 'Escape') close();
        }}
      />
      <IconButton icon="chevron-up" size="small" label={t('terminal.search_up')} onClick={() => find(text, true)} />
      <IconButton icon="chevron-down" size="small" label={t('terminal.search_down')} onClick={() => find(text, false)} />
      <IconButton icon="x" size="small" label={t('terminal.search_close')} onClick={close} />
      <span className="visually-hidden" role="status">
        {isFound ? '' : t('terminal.search_none')}
      </span>
    </div>
  );
}
