import { createStore, type Store } from '../../kernel/store.ts';
import { TerminalSession, type TerminalEntry } from './terminal-session.ts';

export interface TerminalTab {
  id: string;
  panes: readonly TerminalSession[];
  active: string;
}

export interface WorkspaceState {
  tabs: readonly TerminalTab[];
  active: string | undefined;
  /** Typing goes to every open session. */
  isBroadcast: boolean;
}

const MOST_PANES = 4;
const EMPTY: WorkspaceState = { tabs: [], active: undefined, isBroadcast: false };

/** The tabs of one window, their splits, and where typing goes. */
export class Workspace {
  readonly state: Store<WorkspaceState> = createStore<WorkspaceState>(EMPTY);
  onLeave: (() => void) | undefined;
  onSearch: (() => void) | undefined;

  sessions(): TerminalSession[] {
    return this.state.get().tabs.flatMap(({ panes }) => panes);
  }

  activeTab(): TerminalTab | undefined {
    const { tabs, active } = this.state.get();
    return tabs.find(({ id }) => id === active);
  }

  activeSession(): TerminalSession | undefined {
    const tab = this.activeTab();
    return tab?.panes.find(({ id }) => id === tab.active);
  }

  open(entry: TerminalEntry): void {
    const session = this.#start(entry);
    const tab: TerminalTab = { id: crypto.randomUUID(), panes: [session], active: session.id };
    const { tabs } = this.state.get();
    this.#patch({ tabs: [...tabs, tab], active: tab.id });
  }

  canSplit(): boolean {
    const tab = this.activeTab();
    return tab !== undefined && tab.panes.length < MOST_PANES && !('link' in (tab.panes[0]?.entry.place ?? {}));
  }

  /** Another session of the same entry beside the active one. */
  split(): void {
    const tab = this.activeTab();
    const session = this.activeSession();
    if (!tab || !session || !this.canSplit()) return;
    const added = this.#start(session.entry);
    this.#change(tab.id, { panes: [...tab.panes, added], active: added.id });
  }

  activate(tabId: string, sessionId?: string): void {
    const tab = this.state.get().tabs.find(({ id }) => id === tabId);
    if (!tab) return;
    if (sessionId !== undefined && sessionId !== tab.active) this.#change(tabId, { active: sessionId });
    if (this.state.get().active !== tabId) this.#patch({ active: tabId });
  }

  closePane(sessionId: string): void {
    const tab = this.state.get().tabs.find(({ panes }) => panes.some(({ id }) => id === sessionId));
    if (!tab) return;
    if (tab.panes.length === 1) return this.closeTab(tab.id);
    tab.panes.find(({ id }) => id === sessionId)?.close();
    const panes = tab.panes.filter(({ id }) => id !== sessionId);
    this.#change(tab.id, { panes, active: panes.at(-1)?.id ?? '' });
    this.#endLonelyBroadcast();
    return undefined;
  }

  closeTab(tabId: string): void {
    const { tabs, active } = this.state.get();
    for (const session of tabs.find(({ id }) => id === tabId)?.panes ?? []) session.close();
    const left = tabs.filter(({ id }) => id !== tabId);
    this.#patch({ tabs: left, active: active === tabId ? left.at(-1)?.id : active });
    this.#endLonelyBroadcast();
  }

  /** The terminal takes the keyboard: what is typed next must not press the button again. */
  setBroadcast(isBroadcast: boolean): void {
    this.#patch({ isBroadcast });
    this.activeSession()?.terminal.focus();
  }

  /** Changes what is typed in the active session, such as by a Ctrl that was pressed on the screen. */
  setTransform(transform: ((text: string) => string) | undefined): void {
    for (const session of this.sessions()) session.transform = undefined;
    const session = this.activeSession();
    if (session) session.transform = transform;
  }

  showPicker(): void {
    this.#patch({ active: undefined });
  }

  /** Sends text to the active session, or to all of them. */
  send(text: string): void {
    this.activeSession()?.type(text);
    this.activeSession()?.terminal.focus();
  }

  closeAll(): void {
    for (const session of this.sessions()) session.close();
    this.state.set(EMPTY);
  }

  #endLonelyBroadcast(): void {
    if (this.sessions().length < 2) this.#patch({ isBroadcast: false });
  }

  #start(entry: TerminalEntry): TerminalSession {
    const session = new TerminalSession(entry);
    session.onTyped = (text) => {
      if (!this.state.get().isBroadcast) return;
      for (const other of this.sessions()) if (other !== session) other.send(text);
    };
    session.onLeave = () => this.onLeave?.();
    session.onSearch = () => this.onSearch?.();
    return session;
  }

  #patch(change: Partial<WorkspaceState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  #change(tabId: string, change: Partial<TerminalTab>): void {
    const { tabs } = this.state.get();
    this.#patch({ tabs: tabs.map((tab) => (tab.id === tabId ? { ...tab, ...change } : tab)) });
  }
}
