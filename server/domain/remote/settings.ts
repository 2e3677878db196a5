import type { Db, Row } from '../../db/schema.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';

export type RemoteRules = Pick<Row<'remote_settings'>, 'records_terminals' | 'asks_consent' | 'idle_minutes'>;

export const DEFAULT_RULES: RemoteRules = { records_terminals: 0, asks_consent: 0, idle_minutes: 30 };

/** What the company at this path asks of remote access to its devices: its own rules, else those of the nearest company above that has some. */
export async function findRemoteRules(db: Db, companyPath: string): Promise<RemoteRules> {
  const row = await db
    .selectFrom('remote_settings')
    .innerJoin('companies', 'companies.id', 'remote_settings.company_id')
    .select(['records_terminals', 'asks_consent', 'idle_minutes'])
    .where('remote_settings.company_id', 'in', [0, ...idsOnPath(companyPath)])
    .orderBy('companies.level', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? DEFAULT_RULES;
}
