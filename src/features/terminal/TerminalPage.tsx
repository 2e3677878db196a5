import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef, useState } from 'react';
import { ConnectFrame } from '../../engine/remote/ConnectFrame.tsx';
import { EntryPicker } from '../../engine/remote/EntryPicker.tsx';
import { loadPlaceTexts, readPlace, textsOfEntry } from '../../engine/remote/place.ts';
import { pressKey, useSpecialKeys } from '../../engine/remote/special-keys.ts';
import { useT, type Translate } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { useThemeMode } from '../../kernel/theme/mode.ts';
import { Button, StatusMark, WorkTabs } from '../../ui/index.ts';
import { KeysBar } from './KeysBar.tsx';
import { SearchBar } from './SearchBar.tsx';
import { TerminalPane } from './TerminalPane.tsx';
import { TerminalTools } from './TerminalTools.tsx';
import { onSystemColors, terminalColors } from './colors.ts';
import { terminalSettings } from './settings.ts';
import type { TerminalSession } from './terminal-session.ts';
import styles from './terminal.module.css';
import { Workspace } from './workspace.ts';

const PROTOCOLS = ['ssh', 'telnet'];

/** Opens what the address asks for, once. */
async function openFromAddress(workspace: Workspace, t: Translate): Promise<void> {
  const place = readPlace(location.search);
  if (place) workspace.open({ place, ...(await loadPlaceTexts(place, t('terminal.title'))) });
}

/** `/rms-connect/ssh` and `/rms-connect/telnet`: terminals in tabs and splits. */
export default function TerminalPage() {
  const t = useT();
  const [workspace] = useState(() => new Workspace());
  const [isSearching, setSearching] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const { tabs, active, isBroadcast } = useStore(workspace.state);
  const tab = tabs.find(({ id }) => id === active);
  const session = tab?.panes.find(({ id }) => id === tab.active);

  useEffect(() => {
    workspace.onSearch = () => setSearching(true);
    workspace.onLeave = () => page.current?.querySelector<HTMLElement>('[role="toolbar"] button')?.focus();
  }, [workspace]);
  useEffect(() => {
    const isStarted = workspace.sessions().length > 0;
    if (!isStarted) void openFromAddress(workspace, t);
    const handleLeave = (event: BeforeUnloadEvent): void => {
      if (workspace.sessions().some(({ state }) => state.get().phase === 'open')) event.preventDefault();
    };
    addEventListener('beforeunload', handleLeave);
    return () => removeEventListener('beforeunload', handleLeave);
    // Once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useTerminalSettings(workspace);
  const send = (text: string): void => workspace.send(text);
  const { keys, entries } = useSpecialKeys(send);

  return (
    <div ref={page} className={styles.page}>
      <ConnectFrame
        title={session?.entry.name ?? t('terminal.title')}
        middle={
          <WorkTabs
            tabs={tabs.map(({ id, panes }) => ({ key: id, title: panes.map(({ entry }) => entry.name)[0] }))}
            active={active}
            labels={{ add: t('terminal.new_tab'), remove: t('terminal.close_tab'), more: t('terminal.more_tabs') }}
            onChange={(key) => workspace.activate(key)}
            onAdd={() => workspace.showPicker()}
            onRemove={(key) => workspace.closeTab(key)}
          />
        }
        tools={<TerminalTools keyEntries={entries} workspace={workspace} session={session} onSearch={() => setSearching(!isSearching)} />}
        foot={session ? <SessionFacts session={session} isBroadcast={isBroadcast} count={workspace.sessions().length} /> : null}
      >
        {isSearching && session ? <SearchBar key={session.id} session={session} onClose={() => setSearching(false)} /> : null}
        {tab ? (
          <div className={styles.panes} data-count={tab.panes.length}>
            {tab.panes.map((pane) => (
              <TerminalPane
                key={pane.id}
                session={pane}
                isActive={pane.id === tab.active}
                onActivate={() => workspace.activate(tab.id, pane.id)}
              />
            ))}
          </div>
        ) : (
          <EntryPicker
            protocols={PROTOCOLS}
            onChoose={(entry) => workspace.open({ place: { access: entry.id }, ...textsOfEntry(entry) })}
          />
        )}
      </ConnectFrame>
      {session && keys.length > 0 ? (
        <div className={styles.ownKeys} role="toolbar" aria-label={t('remote.keys.own')}>
          {keys.map((key) => (
            <Button key={key.id} size="small" title={key.text} onClick={() => void pressKey(key, send)}>
              {key.label}
            </Button>
          ))}
        </div>
      ) : null}
      {session ? <KeysBar workspace={workspace} session={session} /> : null}
    </div>
  );
}

/** Colours and sizes follow the settings and the page while terminals are open. */
function useTerminalSettings(workspace: Workspace): void {
  const { fontSize, screenReader, colors } = useStore(terminalSettings);
  const mode = useThemeMode();
  useEffect(() => {
    const apply = (): void => {
      for (const session of workspace.sessions()) {
        session.terminal.options.fontSize = fontSize;
        session.terminal.options.screenReaderMode = screenReader;
        session.terminal.options.theme = terminalColors(colors, mode);
        session.fit();
      }
    };
    apply();
    return onSystemColors(apply);
  }, [workspace, fontSize, screenReader, colors, mode]);
}

function SessionFacts({ session, isBroadcast, count }: { session: TerminalSession; isBroadcast: boolean; count: number }) {
  const t = useT();
  const { phase, recorded, warnings } = useStore(session.state);
  return (
    <>
      <StatusMark kind={phase === 'open' ? 'good' : phase === 'lost' ? 'warn' : 'idle'}>{t(`terminal.phase.${phase}`)}</StatusMark>
      <span>{session.entry.detail}</span>
      {recorded ? <StatusMark kind="warn">{t('remote.recorded')}</StatusMark> : null}
      {warnings.includes('plain-text') ? <StatusMark kind="warn">{t('terminal.plain_text')}</StatusMark> : null}
      {isBroadcast ? <StatusMark kind="bad">{t('terminal.broadcasting', { count })}</StatusMark> : null}
      <span>{t('terminal.leave_hint')}</span>
    </>
  );
}
