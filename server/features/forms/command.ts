import { DEVICE_VARIABLES, type DeviceJobTemplate, type JsonValue } from '../../../schemas/kit/form/types.ts';

/** The values of one device that a command may name as `{device.<name>}`. */
export type DeviceVariables = Readonly<Record<(typeof DEVICE_VARIABLES)[number], string | number>>;

/** What a form was sent with, hidden and empty fields left out. */
export type CommandData = Readonly<Record<string, JsonValue | undefined>>;

/** Why a template cannot be made into a command with these values; `step` and `argument` count from 0, `field` names the value. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly step: number;
  readonly argument: number;
  readonly field: string | undefined;

  constructor(message: string, place: { step: number; argument: number; field?: string }) {
    super(message);
    this.step = place.step;
    this.argument = place.argument;
    this.field = place.field;
  }
}

/** The longest command line, in bytes: a small router's shell takes one argument of 128 KiB, and its agent keeps the line in memory. */
export const MAX_COMMAND_BYTES = 16 * 1024;

// `{{`, then `{name}`, `{group.name}` or `{device.name}`, then a brace that belongs to none of them.
const PART = /\{\{|\{([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*)\}|\{/g;
const ONLY = /^\{([a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*)\}$/;

type ArgumentPosition = { step: number; argument: number };

function textOf(value: JsonValue | undefined, field: string, place: ArgumentPosition): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value satisfies JsonValue);
  if (text.includes('\0')) throw new CommandError('A command cannot hold a NUL.', { ...place, field });
  if (!text.isWellFormed()) throw new CommandError('A command cannot hold half of a character.', { ...place, field });
  return text;
}

function isDeviceVariable(name: string): name is (typeof DEVICE_VARIABLES)[number] {
  return (DEVICE_VARIABLES as readonly string[]).includes(name);
}

/** A value by its path; members that an object only inherits are none. */
function memberOf(data: CommandData, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined | CommandData = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, part)) return undefined;
    value = (value as CommandData)[part];
  }
  return value as JsonValue | undefined;
}

function valueOf(name: string, data: CommandData, device: DeviceVariables, place: ArgumentPosition): JsonValue | undefined {
  if (!name.startsWith('device.')) return memberOf(data, name.split('.'));
  const variable = name.slice('device.'.length);
  if (!isDeviceVariable(variable)) throw new CommandError(`A device has no "${variable}" here.`, { ...place, field: name });
  return device[variable];
}

/** The arguments that one word of a template becomes: one, or as many as a list has items where the word is nothing but that list. */
function fillWord(word: string, data: CommandData, device: DeviceVariables, place: ArgumentPosition): string[] {
  const only = ONLY.exec(word)?.[1];
  const list = only === undefined ? undefined : valueOf(only, data, device, place);
  if (only !== undefined && Array.isArray(list)) return list.map((item) => textOf(item, only, place));
  const filled = word.replaceAll(PART, (whole, name: string | undefined) => {
    if (name === undefined) {
      if (whole === '{') throw new CommandError('A brace stands for itself when it is written twice: {{', place);
      return '{';
    }
    const value = valueOf(name, data, device, place);
    if (Array.isArray(value)) throw new CommandError(`"${name}" is a list: it needs an argument of its own.`, { ...place, field: name });
    if (typeof value === 'object' && value !== null)
      throw new CommandError(`"${name}" is a group: name one of its fields.`, { ...place, field: name });
    return textOf(value, name, place);
  });
  return [filled];
}

/** One argument for a POSIX shell (POSIX.1-2017, Shell 2.2.2): nothing between single quotes means anything, and a single quote goes outside of them. */
function quote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** A code that none of the wanted ones is: what an unwanted 0 becomes. */
function unwanted(codes: readonly number[]): number {
  let code = 1;
  while (codes.includes(code)) code += 1;
  return code;
}

/** The last step, whose own code the device reports; an unwanted 0 must not look like a success. */
function withLastCode(step: string, codes: readonly number[]): string {
  if (codes.includes(0)) return step;
  return `{ ${step}; canopy_code=$?; [ "$canopy_code" != 0 ] || canopy_code=${unwanted(codes)}; (exit "$canopy_code"); }`;
}

/** A step before others whose exit code decides by the list: the shell goes on after one of them, and ends with the code itself. */
function withExitCodes(step: string, codes: readonly number[]): string {
  const good = codes.join('|');
  const zero = codes.includes(0) ? '' : ` 0) (exit ${unwanted(codes)}) ;;`;
  return `{ ${step}; canopy_code=$?; case "$canopy_code" in ${good}) true ;;${zero} *) (exit "$canopy_code") ;; esac; }`;
}

/**
 * The shell line that a device is given: each argument filled in first and then quoted, so that no value can become a command; steps run one after
 * the other until one ends with another code than `exitCodes`; the line's code is that of the last one that ran. A field without a value is an empty argument, a list in an argument of its own one
 * argument per item (docs/behaviour.md section 10). Pure. Throws CommandError for a NUL, half a character, a list inside a text, an unknown
 * variable and a line above MAX_COMMAND_BYTES.
 */
export function commandOf(template: DeviceJobTemplate, data: CommandData, device: DeviceVariables): string {
  const codes = template.exitCodes ?? [0];
  const steps = template.steps.map((words, step) => {
    const line = words.flatMap((word, argument) => fillWord(word, data, device, { step, argument }).map(quote)).join(' ');
    // Without a word the shell would have nothing to run and call it a success.
    if (line === '') throw new CommandError('The list that names the program is empty.', { step, argument: 0 });
    if (step === template.steps.length - 1) return withLastCode(line, codes);
    return codes.length === 1 && codes[0] === 0 ? line : withExitCodes(line, codes);
  });
  const line = steps.join(' && ');
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_COMMAND_BYTES)
    throw new CommandError(`The command has ${bytes} bytes; a device takes ${MAX_COMMAND_BYTES}.`, { step: 0, argument: 0 });
  return line;
}
