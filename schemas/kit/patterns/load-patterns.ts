import type { LinearPattern } from './compile-pattern.ts';

let engine: ((source: string) => LinearPattern) | undefined;

/** The engine for expressions that people wrote, in the browser: it is large, and most forms need none. */
export async function loadPatterns(): Promise<(source: string) => LinearPattern> {
  engine ??= (await import('./compile-pattern.ts')).storedPattern;
  return engine;
}

/** Whether an expression is found in a text: by the engine where it was loaded; expressions of forms that ship are ours, and harmless on any. */
export function matchesPattern(source: string, text: string): boolean {
  return (engine?.(source) ?? new RegExp(source, 'u')).test(text);
}
