/**
 * What a special key of a terminal sends. `\e \t \n \xHH \\ \{` are characters that no field takes; `{port}` is asked for when the key is pressed, as text,
 * `{count:number}` as a number, `{line:eth0|eth1}` as one of a list.
 */

export interface KeyParameter {
  name: string;
  type: 'text' | 'number' | 'choice';
  choices: readonly string[];
}

export const KEY_VALUE_LIMIT = 500;

/** `\x1b`, `\{`, `{port}`, `{count:number}`, `{line:eth0|eth1}`, a line break. */
const PART = /\\(?:x[0-9a-fA-F]{2}|[etn\\{])|\{([a-z][a-z0-9_]{0,23})(?::([^{}]{1,200}))?\}|\r?\n/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\e': '\u001b', '\\t': '\t', '\\n': '\r', '\\\\': '\\', '\\{': '{' };

/** What a key asks for, each name once. */
export function parametersOf(text: string): KeyParameter[] {
  const found = new Map<string, KeyParameter>();
  for (const [, name, rest] of text.matchAll(PART)) {
    if (name === undefined || found.has(name)) continue;
    const choices = rest?.includes('|') ? [...new Set(rest.split('|').map((one) => one.trim()))].filter(Boolean) : [];
    found.set(name, { name, type: choices.length > 0 ? 'choice' : rest === 'number' ? 'number' : 'text', choices });
  }
  return [...found.values()];
}

/** Whether a parameter takes this value: nothing that would end the line or press a key of its own. */
export function isKeyValue({ type, choices }: KeyParameter, value: string): boolean {
  if (type === 'choice') return choices.includes(value);
  if (type === 'number') return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
  return value !== '' && value.length <= KEY_VALUE_LIMIT && !/\p{Cc}/u.test(value);
}

/** What goes to the terminal. */
export function keyBytes(text: string, values: Readonly<Record<string, string>> = {}): string {
  return text.replace(PART, (part: string, name?: string) => {
    if (name !== undefined) return values[name] ?? '';
    if (part.startsWith('\\x')) return String.fromCharCode(Number.parseInt(part.slice(2), 16));
    return ESCAPES[part] ?? '\r';
  });
}
