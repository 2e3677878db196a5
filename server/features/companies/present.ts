import type { Company } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';

/** A company's row with what is counted and looked up for it. */
export type CompanyRow = Row<'companies'> & {
  parent_name: string | null;
  grandparent_id: number | null;
  grandparent_name: string | null;
  users_count: number;
  devices_count: number;
};

/** The companies from the topmost one that the actor sees down to this one; nothing above the actor's own company. */
function pathOf(row: CompanyRow, actor: Pick<Actor, 'scope' | 'companyId'>): { id: number; name: string }[] {
  const steps = [
    { id: row.grandparent_id, name: row.grandparent_name },
    { id: row.parent_id, name: row.parent_name },
    { id: row.id, name: row.name },
  ].flatMap(({ id, name }) => (id === null || name === null ? [] : [{ id, name }]));
  if (actor.scope === 'all') return steps;
  const top = steps.findIndex((step) => step.id === actor.companyId);
  return steps.slice(Math.max(top, 0));
}

/** A company as this actor sees it: the one above the actor's own company does not show. */
export function presentCompany(row: CompanyRow, actor: Pick<Actor, 'scope' | 'companyId'>): Company {
  const isTop = actor.scope !== 'all' && row.id === actor.companyId;
  return {
    id: row.id,
    name: row.name,
    email: row.email || null,
    level: row.level,
    parent_id: isTop ? null : row.parent_id,
    parent_name: isTop ? null : row.parent_name,
    path: pathOf(row, actor),
    users_count: row.users_count,
    devices_count: row.devices_count,
    can_use_parent_license: row.can_use_parent_license === 1,
    show_payment: row.show_payment === 1,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}
