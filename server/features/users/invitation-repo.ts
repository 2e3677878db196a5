import { sql } from 'kysely';
import type { Invitation } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, isRole, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const stateAt = (now: number) =>
  sql<
    Invitation['state']
  >`case when suppressed_emails.reason is not null then 'bounced' when invitations.expires_at <= ${now} then 'expired' else 'open' end`;

function columnsAt(now: number): ListColumns {
  return {
    id: sql.ref('invitations.id'),
    sorts: {
      email: byText('invitations.email'),
      expires_at: { by: sql.ref('invitations.expires_at') },
      created_at: { by: sql.ref('invitations.created_at') },
    },
    filters: {
      state: (values) => isOneOf(stateAt(now), values),
      role: (values) => isRole({ id: sql.ref('invitations.role_id'), name: sql.ref('roles.name') }, values),
      role_id: (values) => isOneOf(sql.ref('invitations.role_id'), integers(values)),
      company_id: (values) => isOneOf(sql.ref('invitations.company_id'), integers(values)),
    },
    search: (text) => containsText([sql.ref('invitations.email')], text),
  };
}

function visibleInvitations(db: Db, actor: Actor) {
  return db
    .selectFrom('invitations')
    .innerJoin('roles', 'roles.id', 'invitations.role_id')
    .innerJoin('companies', 'companies.id', 'invitations.company_id')
    .leftJoin('suppressed_emails', (join) =>
      join.onRef('suppressed_emails.email', '=', 'invitations.email').onRef('suppressed_emails.company_id', '=', 'invitations.company_id'),
    )
    .where(isVisible(actor, 'invitations'));
}

/** One page of the invitations that nobody has accepted yet, into companies that the actor sees. */
export async function listInvitations(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: Invitation[]; total: number }> {
  const now = ctx.clock.now();
  const base = visibleInvitations(ctx.reads, actor)
    .select(['invitations.id', 'invitations.email', 'invitations.role_id', 'invitations.company_id', 'invitations.expires_at'])
    .select(['invitations.created_at', 'roles.name as role', 'roles.title as role_title', 'companies.name as company_name'])
    .select(['suppressed_emails.reason as bounce_status', stateAt(now).as('state')]);
  const { rows, total } = await applyListQuery(base, query, columnsAt(now));
  return {
    rows: rows.map((row) => ({ ...row, expires_at: wireTime(row.expires_at), created_at: wireTime(row.created_at) })),
    total,
  };
}

/** An invitation with its company and the name of its role, when the actor sees it. */
export async function findVisibleInvitation(db: Db, actor: Actor, id: number) {
  return visibleInvitations(db, actor)
    .selectAll('invitations')
    .select('roles.name as role_name')
    .where('invitations.id', '=', id)
    .executeTakeFirst();
}
