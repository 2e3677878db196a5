/*
 * The dialog stack as a pure reducer.
 *
 *              open                    minimize
 *   (closed) ────────▶ open ◀───────────────────────▶ minimized
 *                      │  ▲          restore (goes to the top)
 *           fullscreen └──┘
 *   close leaves any of them. The topmost window that is not minimised is the main one: it alone has the focus.
 *
 * Opening an id that is open already replaces it and moves it to the top (restored, if it was minimised). A window can be opened minimised,
 * in full screen, or below the main one.
 * A prompt cannot be minimised; nothing is minimised beyond MAX_MINIMIZED.
 */

/** docs/behaviour.md section 9: "You can not minimize more than 5 windows". */
export const MAX_MINIMIZED = 5;

/** One window of the stack. `key` is new for each opening, `id` is what makes two openings the same window. */
export interface StackWindow {
  key: number;
  id: string;
  name: string;
  /** A question that has to be answered before going on: it cannot be minimised. */
  prompt: boolean;
  minimized: boolean;
  fullscreen: boolean;
}

/** Bottom first. */
export interface StackState {
  windows: readonly StackWindow[];
}

export type StackAction =
  /** `isBelow`: under the present main window, which keeps the focus. */
  | { type: 'open'; window: StackWindow; isBelow?: boolean }
  | { type: 'close'; key: number }
  | { type: 'minimize'; key: number }
  | { type: 'restore'; key: number }
  | { type: 'fullscreen'; key: number; on: boolean };

export const EMPTY_STACK: StackState = { windows: [] };

/** Says why a window cannot be minimised now, or `undefined` when it can. */
export function minimizeRefusal(state: StackState, key: number): 'missing' | 'prompt' | 'limit' | undefined {
  const found = state.windows.find((window) => window.key === key);
  if (!found || found.minimized) return 'missing';
  if (found.prompt) return 'prompt';
  if (minimizedWindows(state).length >= MAX_MINIMIZED) return 'limit';
  return undefined;
}

/** Answers the next stack; an action that does not apply answers the same object. */
export function reduceStack(state: StackState, action: StackAction): StackState {
  switch (action.type) {
    case 'open':
      return openWindow({ windows: state.windows.filter(({ id }) => id !== action.window.id) }, action.window, action.isBelow === true);
    case 'close':
      return state.windows.some((window) => window.key === action.key)
        ? { windows: state.windows.filter((window) => window.key !== action.key) }
        : state;
    case 'minimize':
      return minimizeRefusal(state, action.key) ? state : change(state, action.key, { minimized: true });
    case 'restore': {
      const found = state.windows.find((window) => window.key === action.key);
      if (!found?.minimized) return state;
      return { windows: [...state.windows.filter((window) => window !== found), { ...found, minimized: false }] };
    }
    case 'fullscreen': {
      const found = state.windows.find((window) => window.key === action.key);
      return !found || found.fullscreen === action.on ? state : change(state, action.key, { fullscreen: action.on });
    }
  }
}

function openWindow(others: StackState, wanted: StackWindow, isBelow: boolean): StackState {
  const mayMinimize = !wanted.prompt && minimizedWindows(others).length < MAX_MINIMIZED;
  const opened = { ...wanted, minimized: wanted.minimized && mayMinimize };
  const main = isBelow ? mainWindow(others) : undefined;
  const at = main ? others.windows.indexOf(main) : others.windows.length;
  return { windows: others.windows.toSpliced(at, 0, opened) };
}

function change(state: StackState, key: number, patch: Partial<StackWindow>): StackState {
  return { windows: state.windows.map((window) => (window.key === key ? { ...window, ...patch } : window)) };
}

/** The window that has the focus: the topmost one that is not minimised. */
export function mainWindow(state: StackState): StackWindow | undefined {
  return state.windows.findLast((window) => !window.minimized);
}

/** What is in the tray, oldest first. */
export function minimizedWindows(state: StackState): StackWindow[] {
  return state.windows.filter((window) => window.minimized);
}
