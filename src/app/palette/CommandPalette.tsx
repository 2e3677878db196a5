import { useList } from '@refinedev/core';
import { Command as CommandMenu } from 'cmdk';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogHandle } from '../../engine/dialogs/index.ts';
import type { View } from '../../../schemas/_generated/contract.ts';
import { useAddedForms } from '../../engine/form/added-forms.ts';
import { deriveSearch } from '../../engine/resources/derive.ts';
import { actionLabel, resourceTitle } from '../../engine/table/labels.ts';
import { useLanguage, useT } from '../../kernel/i18n/index.ts';
import { can, useUser } from '../../kernel/session/index.ts';
import { findIconName, TextInput } from '../../ui/index.ts';
import { resources } from '../resources.ts';
import { readKindsOff } from '../shell/search.ts';
import { useSearch, type SearchState } from '../shell/use-search.ts';
import type { Typed } from './keep-typed.ts';
import { allCommands, matchCommands, type Command, type RecordAction } from './commands.ts';
import styles from './palette.module.css';
import { PaletteList, type PaletteGroup } from './PaletteList.tsx';
import { readRecent, rememberRecent } from './recent.ts';
import { runOnRecord } from './run-on-record.ts';

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
  return (['recent', 'pages', 'actions', 'appearance'] as const)
    .map((id) => ({ id, title: `palette.groups.${id}`, commands: commands.filter((command) => command.group === id) }))
    .filter((group) => group.commands.length > 0);
}

const MOST_VIEWS = 100; // One page of the API.

/** One box for everything: pages, actions, appearance, recent and found records. Arrows choose, Enter does it, Ctrl+Enter opens a page beside. */
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
  // Asked for each time: lists keep their views outside the cache.
  const { query } = useList<View>({
    resource: 'views',
    pagination: { pageSize: MOST_VIEWS },
    queryOptions: { staleTime: 0 },
    errorNotification: false,
  });
  const views = query.data?.data;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- The texts of commands follow the language.
  const commands = useMemo(() => allCommands({ added, views: views ?? [] }, (name) => can(name), user), [added, views, language, user]);
  const recent = useMemo(
    () => readRecent(user.id).map((item): Command => ({ ...item, id: `recent-${item.path}`, group: 'recent', icon: 'history' })),
    [user.id],
  );
  const groups = useMemo(() => {
    if (picks) return recordGroups(search, picks);
    // What needs a record is offered to anyone who asks for it.
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
  // Arrows, Home, End and Enter are cmdk's.
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === 'Backspace' && text === '') pick(undefined);
    else if (event.key === 'Enter' && isCommand && active) {
      event.preventDefault();
      handleRun(active, true);
    } else if (event.key.toLowerCase() === 'k' && isCommand) {
      event.preventDefault();
      dialog.close();
    }
  };
  const isSearching = search.state === 'waiting';
  const label = picks ? t('palette.pick', { action: actionLabel(picks.action), kind: resourceTitle(picks.resource) }) : t('palette.title');
  return (
    <DialogWindow dialog={dialog} title={label}>
      <CommandMenu
        className={styles.palette}
        label={label}
        shouldFilter={false}
        loop
        vimBindings={false}
        value={active?.id ?? ''}
        onValueChange={setChosen}
        onKeyDown={handleKey}
      >
        <div className={styles.head}>
          <CommandMenu.Input
            asChild
            value={text}
            onValueChange={(next) => {
              setText(next);
              setChosen(undefined);
            }}
          >
            <TextInput
              autoFocus
              data-autofocus
              icon="search"
              aria-activedescendant={active?.id}
              placeholder={picks ? t('palette.pickPlaceholder') : t('palette.placeholder')}
              maxLength={200}
            />
          </CommandMenu.Input>
        </div>
        <div aria-live="polite" className="visually-hidden">
          {text.trim() === '' || isSearching ? '' : t('search.found', { count: all.length })}
        </div>
        <PaletteList
          groups={groups}
          isSearching={isSearching}
          nothing={picks && text.trim() === '' ? t('search.start') : t('search.nothing')}
          onRun={handleRun}
        />
      </CommandMenu>
    </DialogWindow>
  );
}
