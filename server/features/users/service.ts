import type { FormData, User } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashNewPassword } from '../../kernel/auth/passwords.ts';
import { findRoleRights } from '../../kernel/auth/role-rights.ts';
import { findSecondFactor, removeSecondFactor } from '../../kernel/auth/second-factors.ts';
import { endSessionsOf } from '../../kernel/auth/sessions.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { EmailTaken, LastAdministrator, MfaNotOn, OwnAccount, RoleNotAllowed } from './errors.ts';
import { judgeUserChange, mayGiveRole } from './policy.ts';
import { presentUser } from './present.ts';
import { countOtherAdministrators, findUsers, findVisibleUser, findVisibleUserId } from './repo.ts';

type VisibleUser = Row<'users'> & { company_path: string };

/** One user as the actor sees it. Throws NOT_FOUND. */
export async function getUser(db: Db, actor: Actor, id: number): Promise<User> {
  const [row] = await findUsers(db, actor, [id]);
  if (!row) throw new NotFound({});
  return presentUser(row, actor);
}

async function requireVisibleUser(trx: Trx, actor: Actor, id: number): Promise<VisibleUser> {
  const user = await findVisibleUser(trx, actor, id);
  if (!user) throw new NotFound({});
  return user;
}

async function assertMayChange(trx: Trx, actor: Actor, user: VisibleUser): Promise<void> {
  const role = await findRoleRights(trx, user.role_id);
  const verdict = role && judgeUserChange(actor, { id: user.id, role });
  if (verdict === 'own-account') throw new OwnAccount({});
  if (verdict !== 'allow') throw new Forbidden({});
}

async function assertMayGiveRole(trx: Trx, actor: Actor, roleId: number, company: { id: number; path: string }): Promise<void> {
  const role = await findRoleRights(trx, roleId);
  // A role of a company out of sight is as unknown as none.
  if (!role || !mayGiveRole(actor, role, company)) throw new RoleNotAllowed({}, { source: 'role_id' });
}

async function assertAdministratorStays(ctx: Context, trx: Trx, user: VisibleUser): Promise<void> {
  const role = await findRoleRights(trx, user.role_id);
  if (!role?.permissions.includes('super_admin') || user.disabled_at !== null) return;
  if ((await countOtherAdministrators(trx, ctx.database.tools, user.id)) === 0) throw new LastAdministrator({});
}

/** What the history keeps of a user: all but the password's hash. */
function keptOf(user: Row<'users'> & { company_path?: string }) {
  const { password_hash: _hash, company_path: _path, ...kept } = user;
  return kept;
}

function auditUser(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, before, after }: { action: string; before: Row<'users'> | null; after: Row<'users'> | null },
): Promise<void> {
  const user = after ?? before;
  return writeAudit(trx, { actor, origin, at }, [
    {
      action,
      entity: 'user',
      entityId: user?.id ?? null,
      entityName: user?.username ?? '',
      companyId: user?.company_id ?? null,
      before: before && keptOf(before),
      after: after && keptOf(after),
    },
  ]);
}

/** Adds a user. Throws NOT_FOUND at `company_id`, ROLE_NOT_ALLOWED at `role_id`, EMAIL_TAKEN at `email`. */
export async function createUser(ctx: Context, caller: Caller, input: FormData['users/new']): Promise<User> {
  const { actor } = caller;
  const at = ctx.clock.now();
  const passwordHash = await hashNewPassword(input.password, input);
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, actor, input.company_id, 'company_id');
      await assertMayGiveRole(trx, actor, input.role_id, company);
      const row = await trx
        .insertInto('users')
        .values({
          email: input.email.trim().toLowerCase(),
          username: `${input.first_name} ${input.last_name}`,
          first_name: input.first_name,
          last_name: input.last_name,
          password_hash: passwordHash,
          // Somebody else typed the address; without a mail server nobody could confirm it.
          email_unverified: ctx.mail ? 1 : 0,
          company_id: company.id,
          role_id: input.role_id,
          disabled_at: null,
          last_login_at: null,
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditUser(trx, caller, at, { action: 'users.new', before: null, after: row });
      const user = await getUser(trx, actor, row.id);
      afterCommit(trx, () => ctx.live.publishBelow(company.path, 'users', 'UserAdded', { ...user, company_parent_id: null }));
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new EmailTaken({}, { source: 'email', cause: error });
    throw error;
  }
}

async function writeChanges(
  ctx: Context,
  trx: Trx,
  caller: Caller,
  before: VisibleUser,
  step: { action: string; changes: Changes<'users'> },
) {
  const at = ctx.clock.now();
  const after = await trx
    .updateTable('users')
    .set({ ...step.changes, updated_at: at })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await auditUser(trx, caller, at, { action: step.action, before, after });
  const user = await getUser(trx, caller.actor, before.id);
  const { company_parent_id: _parent, ...shown } = user;
  afterCommit(trx, () => ctx.live.publishBelow(before.company_path, 'users', 'UserChanged', shown));
  return user;
}

/** Ends everything that a user has open, in the transaction and, once it is durable, on the sockets. */
async function throwOut(ctx: Context, trx: Trx, userId: number): Promise<void> {
  await endSessionsOf(trx, userId);
  afterCommit(trx, () => ctx.live.closeSockets({ userId }));
}

/** Changes names and role. Another role ends the user's sessions. Throws NOT_FOUND, OWN_ACCOUNT, FORBIDDEN, ROLE_NOT_ALLOWED, LAST_ADMINISTRATOR. */
export async function editUser(ctx: Context, caller: Caller, id: number, input: FormData['users/edit']): Promise<User> {
  const { actor } = caller;
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireVisibleUser(trx, actor, id);
    const isOtherRole = before.role_id !== input.role_id;
    if (id !== actor.userId || isOtherRole) await assertMayChange(trx, actor, before);
    if (isOtherRole) {
      await assertMayGiveRole(trx, actor, input.role_id, { id: before.company_id, path: before.company_path });
      await assertAdministratorStays(ctx, trx, before);
      await throwOut(ctx, trx, id);
    }
    const changes = { ...input, username: `${input.first_name} ${input.last_name}` };
    return writeChanges(ctx, trx, caller, before, { action: 'users.edit', changes });
  });
}

/** Disables or enables a user; disabling ends its sessions and sockets at once. Throws NOT_FOUND, OWN_ACCOUNT, FORBIDDEN, LAST_ADMINISTRATOR. */
export async function setUserStatus(ctx: Context, caller: Caller, id: number, isDisabled: boolean): Promise<User> {
  const { actor } = caller;
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireVisibleUser(trx, actor, id);
    await assertMayChange(trx, actor, before);
    if ((before.disabled_at !== null) === isDisabled) return getUser(trx, actor, id);
    if (isDisabled) {
      await assertAdministratorStays(ctx, trx, before);
      await throwOut(ctx, trx, id);
    }
    return writeChanges(ctx, trx, caller, before, {
      action: isDisabled ? 'users.disable' : 'users.enable',
      changes: { disabled_at: isDisabled ? ctx.clock.now() : null },
    });
  });
}

/** The user with this address that the actor sees. Throws NOT_FOUND at `email`. */
async function requireUserByEmail(db: Db, actor: Actor, email: string): Promise<number> {
  const id = await findVisibleUserId(db, actor, email.trim().toLowerCase());
  if (id === undefined) throw new NotFound({}, { source: 'email' });
  return id;
}

/** Removes the user with this address; see `removeUser`. Throws NOT_FOUND at `email`. */
export async function removeUserByEmail(ctx: Context, caller: Caller, email: string): Promise<void> {
  await removeUser(ctx, caller, await requireUserByEmail(ctx.reads, caller.actor, email));
}

/** Takes the second factor of somebody else away. Throws NOT_FOUND and MFA_NOT_ON at `email`, OWN_ACCOUNT, FORBIDDEN. */
export async function removeMfaOf(ctx: Context, caller: Caller, email: string): Promise<void> {
  const { actor } = caller;
  const id = await requireUserByEmail(ctx.reads, actor, email);
  await inTransaction(ctx.db, async (trx) => {
    const user = await requireVisibleUser(trx, actor, id);
    await assertMayChange(trx, actor, user);
    if (!(await findSecondFactor(trx, id))) throw new MfaNotOn({}, { source: 'email' });
    await removeSecondFactor(trx, id);
    await auditUser(trx, caller, ctx.clock.now(), { action: 'users.remove-mfa', before: user, after: user });
  });
}

/** Removes a user with its sessions, tokens and settings. Throws NOT_FOUND, OWN_ACCOUNT, FORBIDDEN, LAST_ADMINISTRATOR. */
export async function removeUser(ctx: Context, caller: Caller, id: number): Promise<void> {
  const { actor } = caller;
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireVisibleUser(trx, actor, id);
    await assertMayChange(trx, actor, before);
    await assertAdministratorStays(ctx, trx, before);
    await throwOut(ctx, trx, id);
    await trx.deleteFrom('users').where('id', '=', id).execute();
    await auditUser(trx, caller, ctx.clock.now(), { action: 'users.remove', before, after: null });
    const payload = { id, company_id: before.company_id };
    afterCommit(trx, () => ctx.live.publishBelow(before.company_path, 'users', 'UserRemoved', payload));
  });
}
