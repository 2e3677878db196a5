import type { Db, Row } from '../../db/schema.ts';
import type { Language } from '../language.ts';
import { findNearest } from './nearest.ts';
import type { MailText } from './fill-template.ts';
import type { MailKind } from './mail-kinds.ts';
import texts from './texts.json' with { type: 'json' };

/** What a mail says when no company says otherwise. */
export function standardText(kind: MailKind, language: Language): MailText {
  return texts[language][kind];
}

/** What a mail of this company says in a language: its own text, else the one of the nearest company above that has one, else the standard text. */
export async function textFor(db: Db, companyId: number, { kind, language }: { kind: MailKind; language: Language }): Promise<MailText> {
  const own: Row<'email_templates'> | undefined = await findNearest(db, companyId, (ids) =>
    db
      .selectFrom('email_templates')
      .selectAll()
      .where('company_id', 'in', ids)
      .where('kind', '=', kind)
      .where('language', '=', language)
      .execute(),
  );
  return own ?? standardText(kind, language);
}
