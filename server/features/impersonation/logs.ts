import { sql } from 'kysely';
import type { ImpersonationLog } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { endConsentOf } from './consent.ts';

const column = (name: string) => sql.ref(`impersonation_logs.${name}`);
const state = sql<ImpersonationLog['state']>`case when impersonation_logs.ended_at is null then 'running' else 'ended' end`;
const columns: ListColumns = {
  id: sql.ref('impersonation_logs.id'),
  sorts: { started_at: { by: column('started_at') } },
  filters: {
    state: (values) => isOneOf(state, values),
    company_id: (values) => isWithin(column('company_id'), integers(values)),
  },
};

/** One page of impersonations in companies that the actor sees. */
export async function listLogs(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: ImpersonationLog[]; total: number }> {
  const base = ctx.reads
    .selectFrom('impersonation_logs')
    .innerJoin('companies', 'companies.id', 'impersonation_logs.company_id')
    .where(isVisible(actor, 'impersonation_logs'))
    .selectAll('impersonation_logs')
    .select(['companies.name as company_name', state.as('state')]);
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    rows: rows.map(({ session_id: _session, actor_id: _actor, started_at, expires_at, ended_at, ...row }) => ({
      ...row,
      started_at: wireTime(started_at),
      expires_at: wireTime(expires_at),
      ended_at: wireTime(ended_at),
    })),
    total,
  };
}

/** Ends what an administrator sees running, and takes the consent of its user back. Throws NOT_FOUND. */
export async function endByAdministrator(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const log = await trx
      .selectFrom('impersonation_logs')
      .selectAll()
      .where('id', '=', id)
      .where(isVisible(actor, 'impersonation_logs'))
      .executeTakeFirst();
    if (!log || log.user_id === null) throw new NotFound({});
    const { session_id: _session, ...before } = log;
    await endConsentOf(ctx, trx, log.user_id);
    const entry = { entity: 'user', entityId: log.user_id, entityName: log.user_name, companyId: log.company_id };
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [{ ...entry, action: 'impersonation.end', before, after: null }]);
  });
}
