import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_STACK, MAX_MINIMIZED, mainWindow, minimizeRefusal, minimizedWindows, reduceStack } from './stack.ts';
import type { StackAction, StackState } from './stack.ts';

type Opened = Extract<StackAction, { type: 'open' }>;
function open(key: number, id: string, rest: Partial<Opened['window']> & { isBelow?: boolean } = {}): Opened {
  const { isBelow, ...window } = rest;
  return { type: 'open', isBelow, window: { key, id, name: id, prompt: false, minimized: false, fullscreen: false, ...window } };
}
function run(...actions: StackAction[]): StackState {
  return actions.reduce(reduceStack, EMPTY_STACK);
}

/** Any sequence of user steps; keys are unique per opening, as the store makes them. */
const steps = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          type: fc.constant('open' as const),
          id: fc.nat(7),
          prompt: fc.boolean(),
          minimized: fc.boolean(),
          isBelow: fc.boolean(),
        }),
      },
      { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('close', 'minimize', 'restore'), pick: fc.nat(20) }) },
      fc.record({ type: fc.constant('fullscreen' as const), pick: fc.nat(20), on: fc.boolean() }),
    ),
    { maxLength: 60 },
  )
  .map((list): StackAction[] =>
    list.map((step, index) => {
      if ('id' in step) return open(index, `w${step.id}`, { prompt: step.prompt, minimized: step.minimized, isBelow: step.isBelow });
      if (step.type === 'fullscreen') return { type: 'fullscreen', key: step.pick, on: 'on' in step && step.on };
      return { type: step.type === 'close' ? 'close' : step.type === 'minimize' ? 'minimize' : 'restore', key: step.pick };
    }),
  );

describe('the dialog stack', () => {
  test('whatever is done, ids stay unique, at most 5 are minimised, and no prompt ever is', () => {
    fc.assert(
      fc.property(steps, (actions) => {
        let state = EMPTY_STACK;
        for (const action of actions) {
          state = reduceStack(state, action);
          const ids = state.windows.map((window) => window.id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(minimizedWindows(state).length).toBeLessThanOrEqual(MAX_MINIMIZED);
          expect(state.windows.some((window) => window.prompt && window.minimized)).toBe(false);
        }
      }),
    );
  });

  test('whatever is done, an opened or restored window is the main one', () => {
    fc.assert(
      fc.property(steps, (actions) => {
        let state = EMPTY_STACK;
        for (const action of actions) {
          const before = state;
          state = reduceStack(state, action);
          if (action.type === 'open' && !action.isBelow && !state.windows.at(-1)?.minimized)
            expect(mainWindow(state)?.key).toBe(action.window.key);
          if (action.type === 'restore' && state !== before) expect(mainWindow(state)?.key).toBe(action.key);
        }
      }),
    );
  });

  test('whatever is done, only the closed or replaced window leaves the stack', () => {
    fc.assert(
      fc.property(steps, (actions) => {
        let state = EMPTY_STACK;
        for (const action of actions) {
          const next = reduceStack(state, action);
          const gone = state.windows.filter((window) => !next.windows.some((other) => other.key === window.key));
          for (const window of gone) {
            expect(action.type === 'close' ? action.key === window.key : action.type === 'open' && action.window.id === window.id).toBe(
              true,
            );
          }
          state = next;
        }
      }),
    );
  });

  test('opening an id that is open replaces it and moves it to the top, also out of the tray [D2]', () => {
    const state = run(open(1, 'job:7'), { type: 'minimize', key: 1 }, open(2, 'form'), open(3, 'job:7'));
    expect(state.windows.map((window) => window.key)).toEqual([2, 3]);
    expect(minimizedWindows(state)).toEqual([]);
  });

  test('the sixth window is not minimised [D2]', () => {
    const opened = Array.from({ length: 6 }, (_, index) => open(index, `w${index}`));
    const minimised = Array.from({ length: 5 }, (_, index): StackAction => ({ type: 'minimize', key: index }));
    const state = run(...opened, ...minimised);
    expect(minimizeRefusal(state, 5)).toBe('limit');
    expect(reduceStack(state, { type: 'minimize', key: 5 })).toBe(state);
  });

  test('a prompt cannot be minimised [D4]', () => {
    expect(minimizeRefusal(run(open(1, 'confirm', { prompt: true })), 1)).toBe('prompt');
  });

  test('a window opened below leaves the focus where it is, and above what is below already', () => {
    const state = run(open(1, 'a'), open(2, 'b'), open(3, 'c', { isBelow: true }));
    expect(state.windows.map((window) => window.key)).toEqual([1, 3, 2]);
    expect(mainWindow(run(open(1, 'a', { isBelow: true })))?.key).toBe(1);
  });

  test('a window that is to open minimised opens before everyone when five are in the tray [D2]', () => {
    const tray = Array.from({ length: 6 }, (_, index) => open(index, `w${index}`, { minimized: true }));
    const state = run(...tray);
    expect(minimizedWindows(state).length).toBe(5);
    expect(mainWindow(state)?.key).toBe(5);
  });

  test('with everything minimised there is no main window', () => {
    expect(mainWindow(run(open(1, 'a'), { type: 'minimize', key: 1 }))).toBeUndefined();
  });
});
