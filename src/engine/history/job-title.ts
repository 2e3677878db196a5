import { hasText, textOf, translate } from '../../kernel/i18n/index.ts';
import type { Text } from '../../../schemas/kit/form/types.ts';

/** What a job does, in a word. */
export function kindWord(kind: string): string {
  const key = `values.job.kind.${kind}`;
  return hasText(key) ? translate(key) : kind;
}

const MOST_OF_COMMAND = 80;

/** The first line of a command, cut where it is long. */
function commandLine(command: string): string {
  const [first = ''] = command.trim().split('\n');
  const isCut = first.length > MOST_OF_COMMAND || first !== command.trim();
  return isCut ? `${first.slice(0, MOST_OF_COMMAND).trimEnd()} …` : first;
}

/** What a job does, as its title: its command, the name of the form that started it, else its kind. */
export function jobTitle({ kind, input }: { kind: string; input?: unknown }): string {
  if (typeof input !== 'object' || input === null) return kindWord(kind);
  if (kind === 'run' && 'command' in input && typeof input.command === 'string') return commandLine(input.command) || kindWord(kind);
  const title: unknown = kind === 'form' && 'title' in input ? input.title : undefined;
  return (isText(title) && textOf(title)) || kindWord(kind);
}

function isText(value: unknown): value is Text {
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && Object.values(value).every((words) => typeof words === 'string');
}
