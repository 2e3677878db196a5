import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Entries on screen that would be lost. */
export interface Unsaved {
  isDirty(): boolean;
  /** Whether another page would lose them; what is in the tray stays. */
  isLostByRoute(): boolean;
  /** Asks; `true` to go on without them. */
  askToLeave(): Promise<boolean>;
  /** The user went on without them. */
  leave(): void;
}

const all = new Set<Unsaved>();
let isLetGo = false;

/** Guards entries until the returned function is called: against another page in this tab, and against closing the tab. */
export function guardUnsaved(entries: Unsaved): () => void {
  all.add(entries);
  if (all.size === 1) window.addEventListener('beforeunload', handleUnload);
  return () => {
    all.delete(entries);
    if (all.size === 0) window.removeEventListener('beforeunload', handleUnload);
  };
}

function handleUnload(event: BeforeUnloadEvent): void {
  if (!isLetGo && [...all].some((entries) => entries.isDirty())) event.preventDefault();
}

/** The page is left for signing in again, and what was entered is kept: nothing is asked. */
export function letGoOfPage(): void {
  isLetGo = true;
}

function lostByRoute(): Unsaved[] {
  return [...all].filter((entries) => entries.isDirty() && entries.isLostByRoute());
}

/** Whether entries on this page would be lost with what they are in. */
export function hasUnsaved(): boolean {
  return lostByRoute().length > 0;
}

/** Asks before a part of this page that holds unsaved entries goes; `true` to go on. */
export async function mayLeaveEntries(): Promise<boolean> {
  for (const entries of lostByRoute()) if (!(await entries.askToLeave())) return false;
  return true;
}

/** Holds back another page until the user lets unsaved entries go. In one place, because a router heeds one blocker only. */
export function useRouteGuard(): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && lostByRoute().length > 0,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void (async () => {
      for (const entries of lostByRoute()) {
        if (!(await entries.askToLeave())) return blocker.reset();
        entries.leave();
      }
      blocker.proceed();
    })();
  }, [blocker]);
}
