import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

export interface EnrolmentCodesTable {
  id: Generated<number>;
  company_id: number;
  code_hash: string;
  /** The first group, so that people can distinguish codes. */
  hint: string;
  uses: number;
  used: number;
  expires_at: Millis;
  /** A JSON array of tag ids. */
  tag_ids: JsonText;
  name_prefix: string;
  created_by: number | null;
  revoked_at: Millis | null;
  created_at: Millis;
}
