import { useEffect, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import type { TerminalSession } from './terminal-session.ts';
import styles from './terminal.module.css';
import type { Workspace } from './workspace.ts';

/** Keys that the keyboard of a phone does not have: what is on them, and what they send. */
const KEYS: readonly (readonly [string, string])[] = [
  ['Esc', '\u001b'],
  ['Tab', '\t'],
  ['←', '\u001b[D'],
  ['↑', '\u001b[A'],
  ['↓', '\u001b[B'],
  ['→', '\u001b[C'],
  ['|', '|'],
  ['/', '/'],
  ['-', '-'],
  ['~', '~'],
  ['Home', '\u001b[H'],
  ['End', '\u001b[F'],
  ['PgUp', '\u001b[5~'],
  ['PgDn', '\u001b[6~'],
];

/** The character that Ctrl makes of one: `c` → ^C. */
const withControl = (text: string): string => String.fromCharCode(text.toUpperCase().charCodeAt(0) & 31);

/** A bar of keys for phones. Ctrl and Alt hold for the next key. */
export function KeysBar({ workspace, session }: { workspace: Workspace; session: TerminalSession }) {
  const t = useT();
  const [held, setHeld] = useState<'ctrl' | 'alt'>();

  useEffect(() => {
    if (held === undefined) return undefined;
    workspace.setTransform((text) => {
      setHeld(undefined);
      if (held === 'alt') return `\u001b${text}`;
      return /^[a-z@[\\\]^_ ]$/i.test(text) ? withControl(text) : text;
    });
    return () => workspace.setTransform(undefined);
  }, [held, workspace]);

  const hold = (key: 'ctrl' | 'alt'): void => {
    setHeld(held === key ? undefined : key);
    session.terminal.focus();
  };
  return (
    <div className={styles.keys} role="toolbar" aria-label={t('terminal.keys')}>
      <Button size="small" aria-pressed={held === 'ctrl'} variant={held === 'ctrl' ? 'primary' : 'default'} onClick={() => hold('ctrl')}>
        Ctrl
      </Button>
      <Button size="small" aria-pressed={held === 'alt'} variant={held === 'alt' ? 'primary' : 'default'} onClick={() => hold('alt')}>
        Alt
      </Button>
      {KEYS.map(([label, text]) => (
        <Button key={label} size="small" onClick={() => workspace.send(text)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
