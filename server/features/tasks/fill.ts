import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { CommandDevice } from '../../domain/jobs/types.ts';

export type Variable = NonNullable<FormData['task-groups/new']['variables']>[number];

/** The values of a run, by the names of variables. */
export type Values = Readonly<Record<string, string>>;

/** `{{name}}`, spaces inside allowed. */
const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_]{0,31})\s*\}\}/g;

// Control characters, which end the line of a path.
const UNPRINTABLE = /\p{Cc}/u;

/** The names that a text asks for, each once. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))];
}

/** Why a value does not fit its variable, or undefined. */
export function faultOf({ type, choices = [] }: Variable, value: string): string | undefined {
  if (value.includes('\0') || !value.isWellFormed()) return 'This value has characters that a command cannot hold.';
  if (type === 'number' && !/^-?\d{1,15}(?:\.\d{1,9})?$/.test(value)) return 'Enter a number.';
  if (type === 'choice' && !choices.includes(value)) return 'Choose one of the values of the list.';
  return undefined;
}

/** The value of a variable on a device; empty where there is none. */
function valueOn(device: CommandDevice, values: Values, { name, type, field = 'name', default: usual = '' }: Variable): string {
  if (type === 'device') return String(device[field] ?? '');
  return Object.hasOwn(values, name) ? (values[name] ?? '') : usual;
}

/** One word for a POSIX shell (POSIX.1-2017, Shell 2.2.2). */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The quotes that a shell is in after a text: `'`, `"` or none. */
function quotesAfter(text: string, before: string): string {
  let open = before;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && open !== "'") at += 1;
    else if (open === '' && (character === "'" || character === '"')) open = character;
    else if (character === open) open = '';
  }
  return open;
}

/**
 * A command with its variables. Values are given to the shell as variables of its own, quoted, before the command; the command holds only
 * the name of each, so that no value is ever read as a part of the command, whatever quotes are around it.
 */
export function fillCommand(command: string, variables: readonly Variable[], values: Values, device: CommandDevice): string {
  const names = namesIn(command);
  if (names.length === 0) return command;
  const known = variables.filter(({ name }) => names.includes(name));
  const given = known.map((variable) => `canopy_${variable.name}=${quote(valueOn(device, values, variable))}`);
  let open = '';
  let end = 0;
  let filled = '';
  for (const match of command.matchAll(PLACEHOLDER)) {
    const between = command.slice(end, match.index);
    open = quotesAfter(between, open);
    const name = `\${canopy_${match[1] ?? ''}}`;
    const inserted = open === '"' ? name : open === "'" ? `'"${name}"'` : `"${name}"`;
    filled += between + inserted;
    end = match.index + match[0].length;
  }
  return `${given.join('\n')}\n${filled}${command.slice(end)}`;
}

/** A path with its variables; undefined when what comes of it is no path of a file: a value may name a file or folder, not lead elsewhere. */
export function fillPath(path: string, variables: readonly Variable[], values: Values, device: CommandDevice): string | undefined {
  let isGood = true;
  const filled = path.replaceAll(PLACEHOLDER, (_whole, name: string) => {
    const variable = variables.find((one) => one.name === name);
    const value = variable ? valueOn(device, values, variable) : '';
    if (value === '' || value.includes('/')) isGood = false;
    return value;
  });
  if (!isGood || !isPath(filled)) return undefined;
  return filled;
}

/** Whether a text is an absolute path of a file, without a way up and of one line. */
export function isPath(text: string): boolean {
  return text.startsWith('/') && text.length <= 255 && !text.endsWith('/') && !UNPRINTABLE.test(text) && !text.split('/').includes('..');
}
