import type { VariableKind } from './mail-kinds.ts';

/** What a mail says, with `{name}` where a value comes. */
export interface MailText {
  subject: string;
  text: string;
}

// Matches `{inviter}`.
const PLACE = /\{(\w+)\}/g;
// What mail programs make links of: `//` after a scheme, a dot or an at sign within a name, such as in `www.evil.example` or `a@b.example`.
const LINK_PARTS = /:(?=\/\/)|(?<=[\p{L}\p{N}])[.@](?=\p{L})/gu;
/** Is not seen, and no address goes on after it. */
const WORD_JOINER = '\u2060';
const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/** A value that somebody chose, as words only: on one line, in reading order, and without anything that mail programs make a link of. */
export function harmless(value: string): string {
  return value.replace(CONTROLS, ' ').replace(LINK_PARTS, `$&${WORD_JOINER}`);
}

function valueOf(kind: VariableKind, value: string): string {
  if (kind === 'link' || kind === 'address') return value;
  return kind === 'lines' ? value.split('\n').map(harmless).join('\n') : harmless(value);
}

/** Names of the places in a template that are to be filled. */
export function placesIn(template: string): string[] {
  return [...template.matchAll(PLACE)].map(([, name = '']) => name);
}

/** Fills a template in one pass: what a value says is never read as a template itself. Places without a value stay as they are. */
export function fillTemplate(template: MailText, variables: Record<string, VariableKind>, values: Record<string, string>): MailText {
  const fill = (text: string): string =>
    text.replace(PLACE, (place, name: string) => {
      if (!Object.hasOwn(variables, name) || !Object.hasOwn(values, name)) return place;
      return valueOf(variables[name] ?? 'line', values[name] ?? '');
    });
  return { subject: fill(template.subject).replace(CONTROLS, ' ').trim(), text: fill(template.text) };
}
