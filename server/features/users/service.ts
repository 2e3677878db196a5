import type { FormData, User } from '../../../schemas/_generated/contract.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Trx } from '../../db/schema.ts';
import { personOf, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashNewPassword } from '../../kernel/auth/passwords.ts';
import { insertUser } from '../../kernel/auth/memberships.ts';
import { findRoleRights } from '../../kernel/auth/role-rights.ts';
import { findFactors, removeSecondFactors } from '../../kernel/auth/second-factors.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { AppError, Forbidden, NotFound, TooManyRequests } from '../../kernel/errors.ts';
import type { Limiter } from '../../kernel/limiter.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { AccountShared, CompanyNeeded, EmailTaken, LastAdministrator, MfaNotOn, OwnAccount, RoleNotAllowed } from './errors.ts';
import { judgeUserChange, mayGiveRole } from './policy.ts';
import { asSeenIn, presentUser } from './present.ts';
import { countMemberships, countOtherAdministrators, findUsers, findVisibleMembers, findVisibleUserId, type Member } from './repo.ts';
import { endUserSessions } from './end-sessions.ts';

/** One user as the actor sees it; with a company, as a member of that one. Throws NOT_FOUND. */
export async function getUser(db: Db, actor: Actor, id: number, companyId?: number): Promise<User> {
  const [row] = await findUsers(db, actor, [id], companyId === undefined ? [] : [companyId]);
  if (!row || (companyId !== undefined && row.company_id !== companyId)) throw new NotFound({});
  return presentUser(row, actor);
}

/** What is meant of a person: their membership in a company, or the only one that the actor sees. Throws NOT_FOUND, COMPANY_NEEDED. */
export async function requireMember(trx: Trx, actor: Actor, id: number, companyId?: number): Promise<Member> {
  const members = await findVisibleMembers(trx, actor, id, companyId);
  const [member] = members;
  if (!member) throw new NotFound({}, companyId === undefined ? {} : { source: 'company_id' });
  if (members.length > 1) throw new CompanyNeeded({}, { source: 'company_id' });
  return member;
}

/** Throws OWN_ACCOUNT, FORBIDDEN. */
export async function assertMayChange(trx: Trx, actor: Actor, { id, member }: Member): Promise<void> {
  const role = await findRoleRights(trx, member.role_id);
  const verdict = role && judgeUserChange({ ...actor, userId: id === actor.userId ? id : personOf(actor) }, { id, role });
  if (verdict === 'own-account') throw new OwnAccount({});
  if (verdict !== 'allow') throw new Forbidden({});
}

/** What a whole account is asks for all of its companies in sight, and for the right over each. Throws ACCOUNT_SHARED, OWN_ACCOUNT, FORBIDDEN. */
async function assertMayChangeAccount(trx: Trx, actor: Actor, id: number): Promise<Member[]> {
  const members = await findVisibleMembers(trx, actor, id);
  if (members.length < (await countMemberships(trx, id))) throw new AccountShared({});
  for (const member of members) await assertMayChange(trx, actor, member);
  return members;
}

/** Throws ROLE_NOT_ALLOWED at `role_id`. */
export async function assertMayGiveRole(trx: Trx, actor: Actor, roleId: number, company: { id: number; path: string }): Promise<void> {
  const role = await findRoleRights(trx, roleId);
  // A role of a company out of sight is as unknown as none.
  if (!role || !mayGiveRole(actor, role, company)) throw new RoleNotAllowed({}, { source: 'role_id' });
}

async function assertAdministratorStays(ctx: Context, trx: Trx, { id, member }: Member): Promise<void> {
  const role = await findRoleRights(trx, member.role_id);
  if (!role?.permissions.includes('super_admin') || member.disabled_at !== null) return;
  if ((await countOtherAdministrators(trx, ctx.database.tools, id)) === 0) throw new LastAdministrator({});
}

/** What the history keeps of a member: all but the password's hash. */
function keptOf({ password_hash: _hash, company_path: _path, member, ...account }: Member) {
  const { company_id, role_id, disabled_at } = member;
  return { ...account, company_id, role_id, disabled_at };
}

/** Writes the history row of a change of a member. */
export function auditMember(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, before, after }: { action: string; before: Member | null; after: Member | null },
): Promise<void> {
  const user = after ?? before;
  return writeAudit(trx, { actor, origin, at }, [
    {
      action,
      entity: 'user',
      entityId: user?.id ?? null,
      entityName: user?.username ?? '',
      companyId: user?.member.company_id ?? null,
      before: before && keptOf(before),
      after: after && keptOf(after),
    },
  ]);
}

/**
 * Adds a user. Throws NOT_FOUND at `company_id`, ROLE_NOT_ALLOWED at `role_id`, EMAIL_TAKEN at `email`, and TOO_MANY_REQUESTS for whatever address once the
 * caller has come upon too many that are taken.
 */
export async function createUser(ctx: Context, caller: Caller, input: FormData['users/new'], takenAddresses: Limiter): Promise<User> {
  const { actor } = caller;
  const seconds = takenAddresses.waitSeconds(String(actor.userId));
  if (seconds > 0) throw new TooManyRequests({ seconds });
  const at = ctx.clock.now();
  const passwordHash = await hashNewPassword(input.password, input);
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const company = await requireCompany(trx, actor, input.company_id, 'company_id');
        await assertMayGiveRole(trx, actor, input.role_id, company);
        const { id } = await insertUser(trx, {
          email: input.email.trim().toLowerCase(),
          username: `${input.first_name} ${input.last_name}`,
          first_name: input.first_name,
          last_name: input.last_name,
          password_hash: passwordHash,
          // Somebody else typed the address; without a mail server nobody could confirm it.
          email_unverified: ctx.mail ? 1 : 0,
          company_id: company.id,
          role_id: input.role_id,
          last_login_at: null,
          created_at: at,
        });
        await auditMember(trx, caller, at, { action: 'users.new', before: null, after: await requireMember(trx, actor, id) });
        const user = await getUser(trx, actor, id);
        afterCommit(trx, () => ctx.live.publishBelow(company.path, 'users', 'UserAdded', asSeenIn(user)));
        return user;
      }),
    (cause) => {
      takenAddresses.take(String(actor.userId));
      return new EmailTaken({}, { source: 'email', cause });
    },
  );
}

/** Writes changes of an account and of one of its memberships, the audit row, and notifies the followers of the company. */
async function writeChanges(
  ctx: Context,
  trx: Trx,
  caller: Caller,
  before: Member,
  step: { action: string; account?: Changes<'users'>; member?: Changes<'memberships'> },
) {
  const at = ctx.clock.now();
  const { company_id } = before.member;
  await trx
    .updateTable('users')
    .set({ ...step.account, updated_at: at })
    .where('id', '=', before.id)
    .execute();
  await trx
    .updateTable('memberships')
    .set({ ...step.member, updated_at: at })
    .where('user_id', '=', before.id)
    .where('company_id', '=', company_id)
    .execute();
  const after = await requireMember(trx, caller.actor, before.id, company_id);
  await auditMember(trx, caller, at, { action: step.action, before, after });
  const user = await getUser(trx, caller.actor, before.id, company_id);
  // Lists that show the person as a member of another company must ask again instead of taking this one's role.
  const event = (await countMemberships(trx, before.id)) > 1 ? 'UserAdded' : 'UserChanged';
  afterCommit(trx, () => ctx.live.publishBelow(before.company_path, 'users', event, asSeenIn(user)));
  return user;
}

/**
 * Changes what is given of the names of an account and the role in one of its companies. Another role ends the sessions there. Throws NOT_FOUND,
 * COMPANY_NEEDED at `company_id`, OWN_ACCOUNT, FORBIDDEN, ACCOUNT_SHARED, ROLE_NOT_ALLOWED, LAST_ADMINISTRATOR.
 */
export async function editUser(ctx: Context, caller: Caller, id: number, input: Partial<FormData['users/edit']>): Promise<User> {
  const { actor } = caller;
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireMember(trx, actor, id, input.company_id);
    const { first_name = before.first_name, last_name = before.last_name, role_id = before.member.role_id } = input;
    const names = { first_name, last_name };
    const isOtherRole = before.member.role_id !== role_id;
    const isOtherName = before.first_name !== names.first_name || before.last_name !== names.last_name;
    if (id !== actor.userId || isOtherRole) await assertMayChange(trx, actor, before);
    if (isOtherName && id !== actor.userId) await assertMayChangeAccount(trx, actor, id);
    if (isOtherRole) {
      await assertMayGiveRole(trx, actor, role_id, { id: before.member.company_id, path: before.company_path });
      await assertAdministratorStays(ctx, trx, before);
      await endUserSessions(ctx, trx, id, before.member.company_id);
    }
    const account = { ...names, username: `${names.first_name} ${names.last_name}` };
    return writeChanges(ctx, trx, caller, before, { action: 'users.edit', ...(isOtherName ? { account } : {}), member: { role_id } });
  });
}

/**
 * Disables or enables a user in one of its companies; disabling ends its sessions there at once. Throws NOT_FOUND, COMPANY_NEEDED at
 * `company_id`, OWN_ACCOUNT, FORBIDDEN, LAST_ADMINISTRATOR.
 */
export async function setUserStatus(
  ctx: Context,
  caller: Caller,
  id: number,
  { disabled, company_id }: { disabled: boolean; company_id?: number | undefined },
): Promise<User> {
  const { actor } = caller;
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireMember(trx, actor, id, company_id);
    await assertMayChange(trx, actor, before);
    if ((before.member.disabled_at !== null) === disabled) return getUser(trx, actor, id, before.member.company_id);
    if (disabled) {
      await assertAdministratorStays(ctx, trx, before);
      await endUserSessions(ctx, trx, id, before.member.company_id);
    }
    return writeChanges(ctx, trx, caller, before, {
      action: disabled ? 'users.disable' : 'users.enable',
      member: { disabled_at: disabled ? ctx.clock.now() : null },
    });
  });
}

/** `setUserStatus` for several, each in a transaction of its own; faults are at `members.<index>`. */
export async function setStatuses(
  ctx: Context,
  caller: Caller,
  { members, disabled }: { members: readonly { id: number; company_id?: number | undefined }[]; disabled: boolean },
): Promise<{ done: User[]; errors: ErrorItem[] }> {
  const done: User[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, { id, company_id }] of members.entries()) {
    try {
      done.push(await setUserStatus(ctx, caller, id, { disabled, company_id }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(...error.items.map((item) => ({ ...item, source: `members.${index}` })));
    }
  }
  return { done, errors };
}

/** The user with this address that the actor sees. Throws NOT_FOUND at `email`. */
async function requireUserByEmail(db: Db, actor: Actor, email: string): Promise<number> {
  const id = await findVisibleUserId(db, actor, email.trim().toLowerCase());
  if (id === undefined) throw new NotFound({}, { source: 'email' });
  return id;
}

/** Removes the user with this address from all companies that the actor sees; see `removeUser`. Throws NOT_FOUND at `email`. */
export async function removeUserByEmail(ctx: Context, caller: Caller, email: string): Promise<void> {
  const id = await requireUserByEmail(ctx.reads, caller.actor, email);
  await inTransaction(ctx.db, async (trx) => {
    const members = await findVisibleMembers(trx, caller.actor, id);
    for (const member of members) await removeMember(ctx, trx, caller, member);
  });
}

/** Takes the second factor of somebody else away. Throws NOT_FOUND and MFA_NOT_ON at `email`, OWN_ACCOUNT, FORBIDDEN, ACCOUNT_SHARED. */
export async function removeMfaOf(ctx: Context, caller: Caller, email: string): Promise<void> {
  const { actor } = caller;
  const id = await requireUserByEmail(ctx.reads, actor, email);
  await inTransaction(ctx.db, async (trx) => {
    const members = await assertMayChangeAccount(trx, actor, id);
    if (!(await findFactors(trx, id))) throw new MfaNotOn({}, { source: 'email' });
    await removeSecondFactors(trx, id);
    for (const member of members)
      await auditMember(trx, caller, ctx.clock.now(), { action: 'users.remove-mfa', before: member, after: member });
  });
}

async function removeMember(ctx: Context, trx: Trx, caller: Caller, before: Member): Promise<void> {
  const { id } = before;
  const { company_id } = before.member;
  await assertMayChange(trx, caller.actor, before);
  await assertAdministratorStays(ctx, trx, before);
  await endUserSessions(ctx, trx, id, company_id);
  await trx.deleteFrom('access_tokens').where('user_id', '=', id).where('company_id', '=', company_id).execute();
  await trx.deleteFrom('memberships').where('user_id', '=', id).where('company_id', '=', company_id).execute();
  const next = await trx.selectFrom('memberships').select('company_id').where('user_id', '=', id).orderBy('company_id').executeTakeFirst();
  if (!next) await trx.deleteFrom('users').where('id', '=', id).execute();
  else if (before.company_id === company_id)
    await trx.updateTable('users').set({ company_id: next.company_id }).where('id', '=', id).execute();
  await auditMember(trx, caller, ctx.clock.now(), { action: 'users.remove', before, after: null });
  afterCommit(trx, () => ctx.live.publishBelow(before.company_path, 'users', 'UserRemoved', { id, company_id }));
}

/**
 * Takes a user out of a company, with its sessions and tokens there. The account goes with its last company. Throws NOT_FOUND, COMPANY_NEEDED
 * at `company_id`, OWN_ACCOUNT, FORBIDDEN, LAST_ADMINISTRATOR.
 */
export async function removeUser(ctx: Context, caller: Caller, id: number, companyId?: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => removeMember(ctx, trx, caller, await requireMember(trx, caller.actor, id, companyId)));
}
