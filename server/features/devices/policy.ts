import type { Actor } from '../../kernel/actor.ts';
import { seesCompany } from '../../kernel/tenancy.ts';

type Scope = Pick<Actor, 'scope' | 'companyId' | 'companyPath'>;
interface CompanyPlace {
  id: number;
  path: string;
}
export type Verdict = 'allow' | 'not-found';

/** Whether a device of this company exists for the actor at all; what may be done with it is the permission of the route. */
export function judgeDevice(actor: Scope, company: CompanyPlace): Verdict {
  return seesCompany(actor, company) ? 'allow' : 'not-found';
}

/** A device is moved only between companies that the actor sees both of. */
export function judgeMove(actor: Scope, from: CompanyPlace, to: CompanyPlace): Verdict {
  return seesCompany(actor, from) && seesCompany(actor, to) ? 'allow' : 'not-found';
}

/** A tag may sit on devices of its own company and of those below it. */
export function canCarryTag(deviceCompanyPath: string, tagCompanyPath: string): boolean {
  return deviceCompanyPath.startsWith(tagCompanyPath);
}
