import type { EnrolmentCode } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';

export type CodeRow = Row<'enrolment_codes'> & {
  company_name: string;
  /** null: nobody, or somebody of a company that the viewer does not see. */ user_name: string | null;
};

/** What only the answer that made a code shows. */
export interface CodeSecret {
  code: string;
  command: string;
  url: string;
}

/** Precedence: revoked, used up, expired. */
export function codeState(row: Pick<CodeRow, 'revoked_at' | 'used' | 'uses' | 'expires_at'>, now: number): EnrolmentCode['state'] {
  if (row.revoked_at !== null) return 'withdrawn';
  if (row.used >= row.uses) return 'used_up';
  return row.expires_at <= now ? 'expired' : 'active';
}

/** A code as the wire shows it: without the code itself, unless it was just made. */
export function presentCode(row: CodeRow, tags: EnrolmentCode['tags'], now: number, secret?: CodeSecret): EnrolmentCode {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    code: secret?.code ?? null,
    code_hint: row.hint,
    command: secret?.command ?? null,
    url: secret?.url ?? null,
    state: codeState(row, now),
    uses: row.uses,
    used: row.used,
    name_prefix: row.name_prefix || null,
    tags,
    expires_at: wireTime(row.expires_at),
    user_id: row.user_name === null ? null : row.created_by,
    user_name: row.user_name ?? '',
    created_at: wireTime(row.created_at),
  };
}
