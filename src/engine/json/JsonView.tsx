import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, saveText, SearchInput } from '../../ui/index.ts';
import styles from './JsonView.module.css';

type Json = unknown;

const isBranch = (value: Json): value is object => typeof value === 'object' && value !== null;
const OPEN_LEVELS = 4;
/** A document with fewer entries than this is shown unfolded. */
const ENTRIES_OPEN = 200;
/** More entries of one list or object are shown when asked for. */
const ENTRIES_SHOWN = 100;
const MAX_DEPTH = 40;

function holds(key: string, value: Json, wanted: string, depth = 0): boolean {
  if (key.toLowerCase().includes(wanted)) return true;
  if (!isBranch(value)) return String(value).toLowerCase().includes(wanted);
  return depth < MAX_DEPTH && Object.entries(value).some(([name, inner]) => holds(name, inner, wanted, depth + 1));
}

/** How many entries a value has, on all levels; counting ends at `most`. */
function countEntries(value: Json, most: number): number {
  let count = 0;
  const left: Json[] = [value];
  while (left.length > 0 && count < most) {
    const next = left.pop();
    if (!isBranch(next)) continue;
    const inner = Object.values(next);
    count += inner.length;
    left.push(...inner);
  }
  return count;
}

interface JsonViewProps {
  value: Json;
  label: string;
  /** The name of the file that it is saved as, without its ending. */
  fileName: string;
}

/** Raw data as a tree that folds, searched by names and values, copied and saved as JSON. */
export function JsonView({ value, label, fileName }: JsonViewProps) {
  const t = useT();
  const [search, setSearch] = useState('');
  const text = (): string => JSON.stringify(value, null, 2);
  const handleCopy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      toasts.success(t('account.token.copied'));
    } catch {
      toasts.warning(t('json.not_copied'));
    }
  };
  const wanted = search.toLowerCase();
  const openLevels = countEntries(value, ENTRIES_OPEN) < ENTRIES_OPEN ? MAX_DEPTH : OPEN_LEVELS;
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <SearchInput label={t('json.search')} value={search} onChange={setSearch} />
        <Button icon="copy" onClick={() => void handleCopy()}>
          {t('account.token.copy')}
        </Button>
        <Button icon="download" onClick={() => saveText(text(), `${fileName}.json`, 'application/json')}>
          {t('json.save')}
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll, also by keyboard. */}
      <div role="region" aria-label={label} tabIndex={0} className={styles.tree} dir="ltr">
        {wanted !== '' && !holds('', value, wanted) ? (
          <p>{t('json.none')}</p>
        ) : (
          <Branch key={wanted} value={value} wanted={wanted} level={0} openLevels={openLevels} />
        )}
      </div>
    </div>
  );
}

interface BranchProps {
  value: Json;
  wanted: string;
  level: number;
  /** Entries above this level are unfolded at first. */
  openLevels: number;
}

function Branch({ value, wanted, level, openLevels }: BranchProps) {
  const t = useT();
  const [shown, setShown] = useState(ENTRIES_SHOWN);
  if (!isBranch(value)) return <Leaf value={value} />;
  const entries = Object.entries(value).filter(([key, inner]) => wanted === '' || holds(key, inner, wanted));
  return (
    <ul>
      {entries.slice(0, shown).map(([key, inner]) => (
        <li key={key}>
          {isBranch(inner) && level < MAX_DEPTH ? (
            <Fold name={key} value={inner} wanted={wanted} level={level + 1} openLevels={openLevels} />
          ) : (
            <>
              <span className={styles.key}>{key}</span>: <Leaf value={inner} />
            </>
          )}
        </li>
      ))}
      {entries.length > shown ? (
        <li>
          <Button variant="link" onClick={() => setShown(shown + ENTRIES_SHOWN)}>
            {t('json.more', { count: entries.length - shown })}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function Fold({ name, value, wanted, level, openLevels }: BranchProps & { name: string; value: object }) {
  const [isOpen, setOpen] = useState(level < openLevels || wanted !== '');
  const count = Object.keys(value).length;
  // What was found by its own name is shown whole.
  const rest = name.toLowerCase().includes(wanted) ? '' : wanted;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={styles.key}>{name}</span>{' '}
        <span className={styles.count}>{Array.isArray(value) ? `[${count}]` : `{${count}}`}</span>
      </summary>
      {isOpen ? <Branch value={value} wanted={rest} level={level} openLevels={openLevels} /> : null}
    </details>
  );
}

function Leaf({ value }: { value: Json }) {
  return <code data-type={value === null ? 'null' : typeof value}>{JSON.stringify(value) ?? 'null'}</code>;
}
