import { sql } from 'kysely';
import type { Application } from '../../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../../db/schema.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../../kernel/apply-list-query.ts';
import { wireTime } from '../../../kernel/clock.ts';
import type { ListQuery } from '../../../kernel/list-query.ts';
import { isVisible } from '../../../kernel/tenancy.ts';

export type ApplicationRow = Row<'applications'> & { company_name: string; company_path: string; users_count: number };

const columns: ListColumns = {
  id: sql.ref('applications.id'),
  sorts: {
    id: { by: sql.ref('applications.id') },
    name: byText('applications.name'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('applications.created_at') },
  },
  filters: { company_id: (values) => isOneOf(sql.ref('applications.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('applications.name'), sql.ref('applications.description')], text),
};

function withCompany(db: Db, now: number) {
  return db
    .selectFrom('applications')
    .innerJoin('companies', 'companies.id', 'applications.company_id')
    .selectAll('applications')
    .select(['companies.name as company_name', 'companies.path as company_path'])
    .select(
      sql<number>`(select count(distinct user_id) from access_tokens where application_id = applications.id and expires_at > ${now})`.as(
        'users_count',
      ),
    );
}

/** The texts of a column with a JSON array. */
export function textsOf(json: string): string[] {
  const texts: unknown = JSON.parse(json);
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** An application for the wire; the secret itself is known only to the answer that made it. */
export function presentApplication(row: ApplicationRow, secret: string | null = null): Application {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    description: row.description,
    client_id: row.client_id,
    client_secret: secret,
    is_confidential: row.secret_hash !== null,
    redirect_uris: textsOf(row.redirect_uris),
    scopes: textsOf(row.scopes),
    users_count: row.users_count,
    created_at: wireTime(row.created_at),
  };
}

/** One page of the applications of companies that the actor sees. */
export async function listApplications(
  db: Db,
  actor: Actor,
  query: ListQuery,
  now: number,
): Promise<{ rows: Application[]; total: number }> {
  const { rows, total } = await applyListQuery(withCompany(db, now).where(isVisible(actor, 'applications')), query, columns);
  return { rows: rows.map((row) => presentApplication(row)), total };
}

/** The application with this id when the actor sees its company. */
export async function findApplication(db: Db, actor: Actor, id: number, now: number): Promise<ApplicationRow | undefined> {
  return withCompany(db, now).where('applications.id', '=', id).where(isVisible(actor, 'applications')).executeTakeFirst();
}

/** The application that a program says it is, without a check of the caller; of a company that was removed there is none. */
export async function findClient(db: Db, clientId: string, now: number): Promise<ApplicationRow | undefined> {
  const row = await withCompany(db, now).where('applications.client_id', '=', clientId).executeTakeFirst();
  return row?.company_path.startsWith('/') ? row : undefined;
}
