import type { Actor } from '../../kernel/actor.ts';
import { seesCompany } from '../../kernel/tenancy.ts';

export type CompanyAction = 'view' | 'create-below' | 'rename' | 'remove';
export type Verdict = 'allow' | 'not-found' | 'forbidden' | 'too-deep';

const DEEPEST_LEVEL = 3;

/**
 * What the actor may do with a company, beside the permission that the route asks for.
 * Outside the scope it does not exist. Who sees one company only makes no subsidiaries, and nobody removes the company they belong to.
 */
export function judgeCompany(
  actor: Pick<Actor, 'scope' | 'companyId' | 'companyPath'>,
  action: CompanyAction,
  company: { id: number; path: string; level: number },
): Verdict {
  if (!seesCompany(actor, company)) return 'not-found';
  if (action === 'create-below') {
    if (actor.scope === 'company') return 'forbidden';
    return company.level >= DEEPEST_LEVEL ? 'too-deep' : 'allow';
  }
  if (action === 'remove' && company.id === actor.companyId) return 'forbidden';
  return 'allow';
}
