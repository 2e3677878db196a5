import type { Db, Row } from '../../db/schema.ts';
import { idsOnPath } from '../../kernel/tenancy.ts';
import type { RemoteKind } from './types.ts';

export interface RemoteRules extends Pick<
  Row<'remote_settings'>,
  'records_terminals' | 'records_desktops' | 'asks_consent' | 'idle_minutes'
> {
  /** Of the company whose rules these are; `/` for those that hold without any. */
  company_path: string;
  /** null for those that hold without any. */
  company_id: number | null;
}

export const DEFAULT_RULES: RemoteRules = {
  records_terminals: 0,
  records_desktops: 0,
  asks_consent: 0,
  idle_minutes: 30,
  company_path: '/',
  company_id: null,
};

/** Whether a session is seen as a desktop, by VNC in the browser. */
export const isDesktop = (kind: RemoteKind): boolean => kind === 'vnc' || kind === 'rdp';

/** Whether the rules ask for a recording of such a session. */
export function isRecorded(rules: Pick<RemoteRules, 'records_terminals' | 'records_desktops'>, kind: RemoteKind): boolean {
  if (isDesktop(kind)) return rules.records_desktops === 1;
  return rules.records_terminals === 1 && (kind === 'ssh' || kind === 'telnet');
}

/** What the company at this path asks of remote access to its devices: its own rules, else those of the nearest company above that has some. */
export async function findRemoteRules(db: Db, companyPath: string): Promise<RemoteRules> {
  const row = await db
    .selectFrom('remote_settings')
    .innerJoin('companies', 'companies.id', 'remote_settings.company_id')
    .select(['records_terminals', 'records_desktops', 'asks_consent', 'idle_minutes'])
    .select(['companies.path as company_path', 'companies.id as company_id'])
    .where('remote_settings.company_id', 'in', idsOnPath(companyPath))
    .orderBy('companies.level', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? DEFAULT_RULES;
}
