import { createStore, useStore, type Store } from '../store.ts';

export type ToastType = 'default' | 'success' | 'error' | 'info' | 'warning';
export const TOAST_POSITIONS = ['top-left', 'top', 'top-right', 'bottom-left', 'bottom', 'bottom-right'] as const;
export type ToastPosition = (typeof TOAST_POSITIONS)[number];
export interface ToastInit {
  /** Required: what happened, in the present language. */
  message: string;
  type?: ToastType;
  /** How long it stays; an error, and what lasts for `Infinity`, until it is dismissed (WCAG 2.2.1). */
  durationMs?: number;
  /** `bottom-right` by default, or `top` while something there has to stay in reach. */
  position?: ToastPosition;
  /** A click closes it, and it has a cross; yes by default. */
  isDismissible?: boolean;
  /** Waits until no other one is on screen. */
  isQueued?: boolean;
  /** One way on or back, such as "Undo". */
  action?: { label: string; run(): void };
}
export interface Toast extends ToastInit {
  id: number;
  type: ToastType;
  position: ToastPosition;
  /** Unix milliseconds. */
  at: number;
  /** On its way out: the closing animation runs. */
  isClosing: boolean;
}

// docs/behaviour.md section 9, Toasts.
export const DEFAULT_DURATION_MS = 4000;
export const CLOSE_ANIMATION_MS = 150;
/** How often those that wait look for a place. */
export const RECHECK_MS = 250;
const MAX_SHOWN = 7;
const MAX_HISTORY = 100;

/** Makes a list of toasts: at most 7 are shown, the others wait for their place; all are kept in the history of this page. */
export function createToasts() {
  const shown: Store<readonly Toast[]> = createStore<readonly Toast[]>([]);
  const history: Store<readonly Toast[]> = createStore<readonly Toast[]>([]);
  const waiting: Toast[] = [];
  const timers = new Map<number, { timer: ReturnType<typeof setTimeout>; endsAt: number }>();
  const leftMs = new Map<number, number>();
  let recheck: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;
  let keptFree = 0;

  function show(init: ToastInit): number {
    const { message, type = 'default', position = keptFree > 0 ? 'top' : 'bottom-right' } = init;
    if (typeof message !== 'string' || message.trim() === '') throw new Error('A toast needs a message.');
    if (!TOAST_POSITIONS.includes(position)) throw new Error(`A toast cannot be at "${position}"; only at ${TOAST_POSITIONS.join(', ')}.`);
    const toast: Toast = { ...init, id: nextId++, type, position, at: Date.now(), isClosing: false };
    history.set([toast, ...history.get()].slice(0, MAX_HISTORY));
    waiting.push(toast);
    if (recheck === undefined) fill();
    return toast.id;
  }

  function fill(): void {
    recheck = undefined;
    for (let toast = waiting[0]; toast; toast = waiting[0]) {
      if (shown.get().length >= MAX_SHOWN || (toast.isQueued && shown.get().length > 0)) {
        recheck = setTimeout(fill, RECHECK_MS);
        return;
      }
      waiting.shift();
      shown.set([...shown.get(), toast]);
      const { type, durationMs = type === 'error' ? Number.POSITIVE_INFINITY : DEFAULT_DURATION_MS } = toast;
      if (Number.isFinite(durationMs)) startTimer(toast.id, durationMs);
    }
  }

  function startTimer(id: number, milliseconds: number): void {
    timers.set(id, { timer: setTimeout(() => close(id), milliseconds), endsAt: Date.now() + milliseconds });
  }

  function stopTimer(id: number): number | undefined {
    const running = timers.get(id);
    if (!running) return undefined;
    clearTimeout(running.timer);
    timers.delete(id);
    return Math.max(0, running.endsAt - Date.now());
  }

  function close(id: number): void {
    stopTimer(id);
    leftMs.delete(id);
    if (!shown.get().some((toast) => toast.id === id && !toast.isClosing)) return;
    shown.set(shown.get().map((toast) => (toast.id === id ? { ...toast, isClosing: true } : toast)));
    setTimeout(() => shown.set(shown.get().filter((toast) => toast.id !== id)), CLOSE_ANIMATION_MS);
  }

  return {
    shown,
    history,
    show,
    close,
    success: (message: string, rest?: Omit<ToastInit, 'message' | 'type'>) => show({ ...rest, message, type: 'success' }),
    error: (message: string, rest?: Omit<ToastInit, 'message' | 'type'>) => show({ ...rest, message, type: 'error' }),
    warning: (message: string, rest?: Omit<ToastInit, 'message' | 'type'>) => show({ ...rest, message, type: 'warning' }),
    info: (message: string, rest?: Omit<ToastInit, 'message' | 'type'>) => show({ ...rest, message, type: 'info' }),
    /** Keeps the lower edge free for what has its buttons there, until the answer is called: toasts shown meanwhile are at the top. */
    keepLowerEdgeFree(): () => void {
      keptFree += 1;
      return () => void (keptFree -= 1);
    },
    /** Stops the time of all toasts while one is hovered or holds the focus. */
    pause(): void {
      for (const id of [...timers.keys()]) leftMs.set(id, stopTimer(id) ?? 0);
    },
    resume(): void {
      for (const [id, milliseconds] of leftMs) startTimer(id, milliseconds);
      leftMs.clear();
    },
    clear(): void {
      waiting.length = 0;
      for (const toast of shown.get()) close(toast.id);
    },
  };
}

/** The console's toasts. */
export const toasts = createToasts();

/** Everything that was said since the page was loaded, newest first. */
export function useToastHistory(): readonly Toast[] {
  return useStore(toasts.history);
}

/** The toasts on screen. */
export function useToasts(): readonly Toast[] {
  return useStore(toasts.shown);
}
