import type { Actor } from '../../kernel/actor.ts';
import { seesCompany } from '../../kernel/tenancy.ts';

export type CompanyAction = 'view' | 'create-below' | 'edit' | 'set-flags' | 'remove';
export type Verdict = 'allow' | 'not-found' | 'forbidden' | 'too-deep';

/** docs/behaviour.md section 1: a company of the third level has no subsidiaries. */
export const DEEPEST_LEVEL = 3;

/**
 * What the actor may do with a company, beside the permission that the route asks for.
 * Outside the scope it does not exist. Who sees one company only makes no subsidiaries, nobody removes the company they belong to or one above
 * it, and what a company may take from its parent is said from above.
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
  if (action === 'remove' && actor.companyPath.startsWith(company.path)) return 'forbidden';
  if (action === 'set-flags' && actor.scope !== 'all' && company.id === actor.companyId) return 'forbidden';
  return 'allow';
}

type CompanyPosition = { id: number; path: string; level: number; parent_id: number | null };

/**
 * Whether the actor may put a company that it sees under another one that it sees. `below` is how many levels the company has below it.
 * A tree is one tenant: nothing leaves it, and its first company stays where it is.
 */
export function judgeCompanyMove(
  actor: Pick<Actor, 'scope' | 'companyId'>,
  source: CompanyPosition,
  target: CompanyPosition,
  below: number,
): 'allow' | 'forbidden' | 'there-already' | 'under-itself' | 'elsewhere' | 'too-deep' {
  if (actor.scope === 'company' || source.id === actor.companyId) return 'forbidden';
  if (target.path.startsWith(source.path)) return 'under-itself';
  if (source.parent_id === target.id) return 'there-already';
  if (source.path.split('/')[1] !== target.path.split('/')[1]) return 'elsewhere';
  return target.level + 1 + below > DEEPEST_LEVEL ? 'too-deep' : 'allow';
}
