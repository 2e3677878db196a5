import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogHandle } from '../../engine/dialogs/index.ts';
import { useAddedForms } from '../../engine/form/added-forms.ts';
import { deriveSearch } from '../../engine/resources/derive.ts';
import { actionLabel, resourceTitle } from '../../engine/table/labels.ts';
import { useLanguage, useT } from '../../kernel/i18n/index.ts';
import { can, useUser } from '../../kernel/session/index.ts';
import { findIconName } from '../../ui/Icon.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { resources } from '../resources.ts';
import { readKindsOff } from '../shell/search.ts';
import { useSearch, type SearchState } from '../shell/use-search.ts';
import type { Typed } from './keep-typed.ts';
import { allCommands, matchCommands, type Command, type RecordAction } from './commands.ts';
import styles from './palette.module.css';
import { PaletteList, type PaletteGroup } from './PaletteList.tsx';
import { readRecent, rememberRecent } from './recent.ts';
import { runOnRecord } from './run-on-record.ts';

const LIST = 'palette-list';
const BOX = 'palette-box';

/** What was found by the search of records, as commands; each leads to its record, or does what was chosen to it. */
function recordGroups(search: SearchState, picks: RecordAction | undefined): PaletteGroup[] {
  if (search.state !== 'found') return [];
  return search.results
    .filter((result) => result.hits.length > 0)
    .map(({ resource, hits, total }) => ({
      id: resource.name,
      title: `resources.${resource.name}.title`,
      total,
      commands: hits.map((hit) => ({
        id: hit.id,
        group: 'recent',
        label: hit.title,
        detail: hit.detail,
        icon: findIconName(resource.menu?.icon) ?? 'file',
        ...(picks ? { run: () => void runOnRecord(picks, hit.recordId) } : { path: hit.path }),
      })),
    }));
}

function commandGroups(commands: readonly Command[]): PaletteGroup[] {
  return (['recent', 'pages', 'actions', 'look'] as const)
    .map((id) => ({ id, title: `palette.groups.${id}`, commands: commands.filter((command) => command.group === id) }))
    .filter((group) => group.commands.length > 0);
}

/** One box for everything: pages, actions, look, recent and found records. Arrows choose, Enter does it, Ctrl+Enter opens a page beside. */
export default function CommandPalette({ dialog, typed }: { dialog: DialogHandle<undefined>; typed: Typed }) {
  const t = useT();
  const language = useLanguage();
  const user = useUser();
  const navigate = useNavigate();
  const added = useAddedForms();
  const [text, setText] = useState(typed.text);
  useEffect(() => typed.stop(), [typed]);
  const [chosen, setChosen] = useState<string>();
  const [picks, setPicks] = useState<RecordAction>();
  const kinds = useMemo(() => {
    const off = readKindsOff();
    const all = deriveSearch(resources, (name) => can(name));
    return all.filter(({ resource }) => (picks ? resource === picks.resource : !off.includes(resource.name)));
  }, [picks]);
  const search = useSearch(kinds, text, true);
  // The texts of commands follow the language.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const commands = useMemo(() => allCommands(added, (name) => can(name)), [added, language]);
  const recent = useMemo(
    () => readRecent(user.id).map((item): Command => ({ ...item, id: `recent-${item.path}`, group: 'recent', icon: 'history' })),
    [user.id],
  );
  const groups = useMemo(() => {
    if (picks) return recordGroups(search, picks);
    // What needs a record is offered to whoever asks for it.
    if (text.trim() === '') return commandGroups([...recent, ...commands.filter((command) => !command.picks)]);
    return [...commandGroups(matchCommands(commands, text)), ...recordGroups(search, undefined)];
  }, [picks, search, text, recent, commands]);
  const all = groups.flatMap((group) => group.commands);
  const active = all.find((command) => command.id === chosen) ?? all[0];

  const pick = (next: RecordAction | undefined) => {
    setPicks(next);
    setText('');
    setChosen(undefined);
  };
  const handleRun = (command: Command, isNewTab: boolean) => {
    if (command.picks) {
      pick(command.picks);
      document.getElementById(BOX)?.focus();
      return;
    }
    if (command.path !== undefined && isNewTab) {
      window.open(command.path, '_blank', 'noopener');
      return;
    }
    dialog.close();
    if (command.path !== undefined) {
      rememberRecent(user.id, { label: command.label, detail: command.detail, path: command.path });
      void navigate(command.path);
    } else command.run?.();
  };
  const move = (event: KeyboardEvent, to: number) => {
    event.preventDefault();
    const id = all.at(to % Math.max(1, all.length))?.id;
    setChosen(id);
    if (id) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  };
  const handleKey = (event: KeyboardEvent) => {
    const at = active ? all.indexOf(active) : -1;
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(event, at + 1);
    else if (event.key === 'ArrowUp') move(event, at - 1);
    else if (event.key === 'Backspace' && text === '') pick(undefined);
    else if (event.key === 'Enter' && active) {
      event.preventDefault();
      handleRun(active, event.ctrlKey || event.metaKey);
    } else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      dialog.close();
    }
  };
  const isSearching = search.state === 'waiting';
  const label = picks ? t('palette.pick', { action: actionLabel(picks.action), kind: resourceTitle(picks.resource) }) : t('palette.title');
  return (
    <DialogWindow dialog={dialog} title={label}>
      <div className={styles.palette}>
        <div className={styles.head}>
          <TextInput
            autoFocus
            data-autofocus
            role="combobox"
            icon="search"
            id={BOX}
            aria-label={label}
            aria-expanded
            aria-controls={LIST}
            aria-activedescendant={active?.id}
            aria-autocomplete="list"
            autoComplete="off"
            placeholder={picks ? t('palette.pickPlaceholder') : t('palette.placeholder')}
            maxLength={200}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(undefined);
            }}
            onKeyDown={handleKey}
          />
        </div>
        <div aria-live="polite" className="visually-hidden">
          {text.trim() === '' || isSearching ? '' : t('search.found', { count: all.length })}
        </div>
        <PaletteList
          id={LIST}
          groups={groups}
          active={active?.id}
          isSearching={isSearching}
          nothing={picks && text.trim() === '' ? t('search.start') : t('search.nothing')}
          onRun={handleRun}
          onPoint={setChosen}
        />
      </div>
    </DialogWindow>
  );
}
