import type { Mail } from '../../edges/smtp/types.ts';
import type { Language } from '../http/render-page.ts';
import texts from './texts.json' with { type: 'json' };

export type MailKind = keyof (typeof texts)['en'];

/** A mail, and what it is about. */
export interface KnownMail extends Mail {
  kind: MailKind;
}

/** A mail in the reader's language; every `{name}` of its text is filled in from `params`. */
export function writeMail(to: string, kind: MailKind, language: Language, params: Record<string, string>): KnownMail {
  const { subject, text } = texts[language][kind];
  const fill = (template: string): string => template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  return { to, kind, subject: fill(subject), text: fill(text) };
}
