import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { AuditActor } from '../../kernel/audit.ts';
import { writeAudit } from '../../kernel/audit.ts';
import type { Actor, Caller, Origin } from '../../kernel/actor.ts';
import { Unauthorized } from '../../kernel/errors.ts';
import { inTransaction } from '../../kernel/db/database.ts';

type User = Row<'users'>;

/** The row of the person who calls. */
export async function requireOwnUser(db: Db, actor: Pick<Actor, 'userId'>): Promise<User> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', actor.userId).executeTakeFirst();
  if (!user) throw new Unauthorized({});
  return user;
}

/** The person as an actor, where a link takes the place of a session. */
export function asOwnActor(user: User): AuditActor {
  return { userId: user.id, name: user.username, onBehalfOf: null, tokenName: null };
}

/** Notes what a person changed of its own account; secrets are left out. */
export function auditOwn(
  trx: Trx,
  who: { actor: AuditActor; origin: Origin; at: number },
  { action, before, after }: { action: string; before: User; after: User },
): Promise<void> {
  const { password_hash: _was, ...was } = before;
  const { password_hash: _is, ...is } = after;
  return writeAudit(trx, who, [
    { action, entity: 'user', entityId: after.id, entityName: after.username, companyId: after.company_id, before: was, after: is },
  ]);
}

/** Changes the names of the person who calls. */
export async function changeNames(
  ctx: Context,
  { actor, origin }: Caller,
  { first_name, last_name }: { first_name: string; last_name: string },
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireOwnUser(trx, actor);
    const changes = { first_name, last_name, username: `${first_name} ${last_name}`, updated_at: at };
    await trx.updateTable('users').set(changes).where('id', '=', actor.userId).execute();
    await auditOwn(trx, { actor, origin, at }, { action: 'account.profile', before, after: { ...before, ...changes } });
  });
}
