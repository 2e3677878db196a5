import type { Context } from '../../context.ts';
import type { Mail } from '../../edges/smtp/types.ts';
import type { Language } from '../language.ts';
import { fillTemplate } from './fill-template.ts';
import { mailKinds, type MailKind } from './mail-kinds.ts';
import { textFor } from './templates.ts';

/** A mail, and what it is about. */
export interface KnownMail extends Mail {
  kind: MailKind;
}

export interface MailRequest {
  to: string;
  kind: MailKind;
  language: Language;
  /** By the names in `mail-kinds.ts`. */
  values: Record<string, string>;
}

/** A mail in the words that the company has for it (docs/behaviour.md, Texts of mails). */
export async function writeMail(
  ctx: Pick<Context, 'db'>,
  companyId: number,
  { to, kind, language, values }: MailRequest,
): Promise<KnownMail> {
  return { to, kind, ...fillTemplate(await textFor(ctx.db, companyId, { kind, language }), mailKinds[kind].variables, values) };
}
