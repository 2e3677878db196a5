import { sql } from 'kysely';
import type { EmailTemplate, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { LANGUAGES, type Language } from '../../kernel/language.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isMailKind, mailKinds, type MailKind } from '../../kernel/mail/mail-kinds.ts';
import { companiesOn, nearestOn } from '../../kernel/mail/nearest.ts';
import { standardText } from '../../kernel/mail/templates.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { assertUsable } from './template-rules.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

type Stored = Row<'email_templates'>;

/** One kind of mail in one language. */
export interface Sort {
  kind: MailKind;
  language: Language;
}
type Company = Pick<Row<'companies'>, 'id' | 'name' | 'path'>;

const KINDS = Object.keys(mailKinds).filter(isMailKind);
const SORTS: Sort[] = KINDS.flatMap((kind) => LANGUAGES.map((language) => ({ kind, language })));

/** Every company has every template, written or not, so their numbers are made from what they are: 7 · invitation (1) · Norwegian (1) → 7011. */
function numberOf(companyId: number, { kind, language }: Sort): number {
  return companyId * 1000 + mailKinds[kind].number * 10 + LANGUAGES.indexOf(language);
}

async function requireTemplate(db: Db, actor: Actor, id: number): Promise<{ company: Company; sort: Sort }> {
  const companyId = Math.floor(id / 1000);
  const sort = SORTS.find((one) => numberOf(companyId, one) === id);
  const company = await visibleCompanies(db, actor).where('companies.id', '=', companyId).executeTakeFirst();
  if (!sort || !company) throw new NotFound({});
  return { company, sort };
}

const visibleCompanies = (db: Db, actor: Actor) =>
  db.selectFrom('companies').select(['companies.id', 'companies.name', 'companies.path']).where(isVisible(actor, 'companies'));

function present(company: Company, sort: Sort, stored: readonly Stored[]): EmailTemplate {
  const nearest = nearestOn(
    company.path,
    stored.filter((row) => row.kind === sort.kind && row.language === sort.language),
  );
  const { subject, text } = nearest ?? standardText(sort.kind, sort.language);
  const isOwn = nearest?.company_id === company.id;
  return {
    id: numberOf(company.id, sort),
    company_id: company.id,
    company_name: company.name,
    type: sort.kind,
    language: sort.language,
    source: isOwn ? 'own' : nearest ? 'inherited' : 'standard',
    subject,
    text,
    updated_at: wireTime(isOwn ? nearest.updated_at : null),
  };
}

async function presentAll(db: Db, companies: readonly Company[], sorts: readonly Sort[]): Promise<EmailTemplate[]> {
  const ids = [...new Set(companies.flatMap(({ path }) => companiesOn(path)))];
  const stored = ids.length === 0 ? [] : await db.selectFrom('email_templates').selectAll().where('company_id', 'in', ids).execute();
  return companies.flatMap((company) => sorts.map((sort) => present(company, sort, stored)));
}

/** One page of what mails say: of the companies asked for, as far as the actor sees them, else of the own one. */
export async function listTemplates(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: EmailTemplate[]; total: number }> {
  const valuesOf = (key: string) => query.filters.find((filter) => filter.key === key)?.values;
  const companyIds = valuesOf('company_id')?.map(Number).filter(Number.isSafeInteger) ?? [actor.companyId];
  const companies = await visibleCompanies(db, actor)
    .where('companies.id', 'in', companyIds)
    .orderBy(textKey(sql.ref('companies.name')))
    .orderBy('companies.id')
    .execute();
  const isAsked = (key: 'type' | 'language' | 'source', row: EmailTemplate): boolean => valuesOf(key)?.includes(row[key]) ?? true;
  const rows = (await presentAll(db, companies, SORTS)).filter(
    (row) =>
      isAsked('type', row) && isAsked('language', row) && isAsked('source', row) && (query.ids === undefined || query.ids.includes(row.id)),
  );
  if (query.sort[0]?.isDescending) rows.reverse();
  return { rows: rows.slice(query.offset, query.offset + query.limit), total: rows.length };
}

/** What one mail of a company says. Throws NOT_FOUND. */
export async function getTemplate(db: Db, actor: Actor, id: number): Promise<EmailTemplate> {
  const { company, sort } = await requireTemplate(db, actor, id);
  const [template] = await presentAll(db, [company], [sort]);
  if (!template) throw new NotFound({});
  return template;
}

async function findOwn(trx: Trx, company: Company, { kind, language }: Sort): Promise<Stored | undefined> {
  return trx
    .selectFrom('email_templates')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('kind', '=', kind)
    .where('language', '=', language)
    .executeTakeFirst();
}

async function audit(
  trx: Trx,
  { actor, origin }: Caller,
  change: { verb: string; at: number; id: number; before: Stored | null; after: Stored | null },
): Promise<void> {
  const row = change.after ?? change.before;
  if (!row) return;
  const { company_id: companyId, kind, language } = row;
  const entry = { entity: 'email_template', entityId: change.id, entityName: `${kind} (${language})`, companyId };
  await writeAudit(trx, { actor, origin, at: change.at }, [
    { ...entry, action: `mail.${change.verb}`, before: change.before, after: change.after },
  ]);
}

/** Gives a company, and those below it without one, a text of its own. Throws NOT_FOUND, INVALID_FIELD at `subject` or `text`. */
export async function editTemplate(ctx: Context, caller: Caller, id: number, input: FormData['mail/edit-template']): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company, sort } = await requireTemplate(trx, caller.actor, id);
    assertUsable(sort.kind, input);
    const before = (await findOwn(trx, company, sort)) ?? null;
    const change = { ...input, updated_at: at };
    const after = await trx
      .insertInto('email_templates')
      .values({ company_id: company.id, ...sort, ...change })
      .onConflict((conflict) => conflict.columns(['company_id', 'kind', 'language']).doUpdateSet(change))
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, { verb: 'edit-template', at, id, before, after });
  });
}

/** Forgets a company's own text: what the companies above say counts again, else the standard text. Throws NOT_FOUND, also where there is no own one. */
export async function resetTemplate(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company, sort } = await requireTemplate(trx, caller.actor, id);
    const before = await findOwn(trx, company, sort);
    if (!before) throw new NotFound({});
    await trx
      .deleteFrom('email_templates')
      .where('company_id', '=', company.id)
      .where('kind', '=', sort.kind)
      .where('language', '=', sort.language)
      .execute();
    await audit(trx, caller, { verb: 'reset-template', at: ctx.clock.now(), id, before, after: null });
  });
}

/** The kind and language that a template's number stands for. Throws NOT_FOUND. */
export async function requireSort(db: Db, actor: Actor, id: number): Promise<Sort> {
  return (await requireTemplate(db, actor, id)).sort;
}
