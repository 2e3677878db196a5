import {
  type AccessToken,
  type FormData,
  type PermissionName,
  type ServiceAccount,
  permissionNames,
} from '../../../schemas/_generated/contract.ts';
import { permissionsOfScope } from '../../../schemas/kit/resources/token-scopes.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { auditOfToken, insertAccessToken, presentAccessToken } from '../../kernel/auth/access-tokens.ts';
import { insertUser } from '../../kernel/auth/memberships.ts';
import { hashPassword } from '../../kernel/auth/passwords.ts';
import { findRoleRights, outranks, type RoleRights } from '../../kernel/auth/role-rights.ts';
import { randomToken } from '../../kernel/auth/tokens.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { Forbidden, NotFound, defineError } from '../../kernel/errors.ts';
import { isVisible, requireCompany, seesCompany } from '../../kernel/tenancy.ts';
import { findAccount, type AccountRow } from './repo.ts';

/** One service account. Throws NOT_FOUND. */
export async function getAccount(ctx: Context, actor: Actor, id: number): Promise<ServiceAccount> {
  const account = await findAccount(ctx.reads, actor, id, ctx.clock.now());
  if (!account) throw new NotFound({});
  return account.shown;
}

async function requireRights(db: Db, roleId: number): Promise<RoleRights> {
  const rights = await findRoleRights(db, roleId);
  if (!rights) throw new RoleNotAllowed({}, { source: 'role_id' });
  return rights;
}

/** An account that the actor sees and may change: it holds nothing that the actor lacks. Throws NOT_FOUND, FORBIDDEN. */
async function requireAccount(ctx: Context, trx: Trx, actor: Actor, id: number) {
  const account = await findAccount(trx, actor, id, ctx.clock.now());
  if (!account) throw new NotFound({});
  const rights = await requireRights(trx, account.row.role_id);
  if (!outranks(actor, rights)) throw new Forbidden({});
  return { ...account, rights };
}

async function assertMayGive(trx: Trx, actor: Actor, roleId: number, company: { path: string }): Promise<void> {
  if (!mayGiveTo(actor, await requireRights(trx, roleId), company)) throw new RoleNotAllowed({}, { source: 'role_id' });
}

function keptOf({ path: _path, tokens_count: _count, last_used_at: _used, company_name: _name, ...kept }: AccountRow) {
  return kept;
}

function auditAccount(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, before, after }: { action: string; before: AccountRow | null; after: AccountRow | null },
): Promise<void> {
  const account = after ?? before;
  return writeAudit(trx, { actor, origin, at }, [
    {
      action,
      entity: 'service_account',
      entityId: account?.id ?? null,
      entityName: account?.username ?? '',
      companyId: account?.company_id ?? null,
      before: before && keptOf(before),
      after: after && keptOf(after),
    },
  ]);
}

/** Where no mail goes, and nobody can guess it (RFC 2606): a service account has no address. */
function addressOfNobody(): string {
  return `service-${randomToken().toLowerCase()}@service.invalid`;
}

/** Makes an account for a program: without a password that anybody knows. Throws NOT_FOUND at `company_id`, ROLE_NOT_ALLOWED at `role_id`. */
export async function createAccount(ctx: Context, caller: Caller, input: FormData['service-accounts/new']): Promise<ServiceAccount> {
  const { actor } = caller;
  const at = ctx.clock.now();
  const passwordHash = await hashPassword(randomToken());
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, input.company_id, 'company_id');
    await assertMayGive(trx, actor, input.role_id, company);
    const user = await insertUser(trx, {
      email: addressOfNobody(),
      username: input.name,
      first_name: input.name,
      last_name: '',
      password_hash: passwordHash,
      company_id: company.id,
      role_id: input.role_id,
      last_login_at: null,
      created_at: at,
    });
    await trx
      .insertInto('service_accounts')
      .values({ user_id: user.id, company_id: company.id, description: input.description ?? '' })
      .execute();
    const { row, shown } = await requireAccount(ctx, trx, actor, user.id);
    await auditAccount(trx, caller, at, { action: 'service-accounts.new', before: null, after: row });
    return shown;
  });
}

/** Changes an account; disabled, none of its tokens works. Throws NOT_FOUND, FORBIDDEN, ROLE_NOT_ALLOWED at `role_id`. */
export async function editAccount(
  ctx: Context,
  caller: Caller,
  id: number,
  input: FormData['service-accounts/edit'],
): Promise<ServiceAccount> {
  const { actor } = caller;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const before = (await requireAccount(ctx, trx, actor, id)).row;
    if (input.role_id !== before.role_id) await assertMayGive(trx, actor, input.role_id, before);
    await trx.updateTable('users').set({ username: input.name, first_name: input.name, updated_at: at }).where('id', '=', id).execute();
    const isDisabled = input.is_disabled ?? before.disabled_at !== null;
    await trx
      .updateTable('memberships')
      .set({ role_id: input.role_id, disabled_at: isDisabled ? (before.disabled_at ?? at) : null, updated_at: at })
      .where('user_id', '=', id)
      .execute();
    if (input.description !== undefined)
      await trx.updateTable('service_accounts').set({ description: input.description }).where('user_id', '=', id).execute();
    const { row, shown } = await requireAccount(ctx, trx, actor, id);
    await auditAccount(trx, caller, at, { action: 'service-accounts.edit', before, after: row });
    if (row.role_id !== before.role_id || isDisabled) afterCommit(trx, () => ctx.live.closeSockets({ userId: id }));
    return shown;
  });
}

/** Removes an account with its tokens. Throws NOT_FOUND, FORBIDDEN. */
export async function removeAccount(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { row } = await requireAccount(ctx, trx, caller.actor, id);
    await trx.deleteFrom('users').where('id', '=', id).execute();
    await auditAccount(trx, caller, ctx.clock.now(), { action: 'service-accounts.remove', before: row, after: null });
    afterCommit(trx, () => ctx.live.closeSockets({ userId: id }));
  });
}

/** Makes a token for an account. Throws NOT_FOUND, FORBIDDEN, SCOPE_NOT_IN_ROLE at `scopes.<n>`, INVALID_FIELD at `name` for one token too many. */
export async function createAccountToken(
  ctx: Context,
  { actor, origin }: Caller,
  id: number,
  input: FormData['service-accounts/new-token'],
): Promise<AccessToken> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { row: account, rights } = await requireAccount(ctx, trx, actor, id);
    const permissions: ReadonlySet<PermissionName> = new Set(rights.permissions);
    input.scopes.forEach((scope, index) => {
      if (!permissionsOfScope(scope, permissionNames).some((name) => can({ permissions }, name)))
        throw new ScopeNotInRole({ scope }, { source: `scopes.${index}` });
    });
    const { row, token } = await insertAccessToken(trx, { userId: id, companyId: account.company_id }, input, at);
    await writeAudit(trx, { actor, origin, at }, [auditOfToken('access-tokens.new', row, 'after')]);
    return presentAccessToken(row, token);
  });
}

/** Revokes a token of somebody in a company that the actor sees, unless they hold more than the actor. Throws NOT_FOUND, FORBIDDEN. */
export async function revokeToken(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const found = await trx
      .selectFrom('access_tokens')
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.user_id', '=', 'access_tokens.user_id').onRef('memberships.company_id', '=', 'access_tokens.company_id'),
      )
      .selectAll('access_tokens')
      .select('memberships.role_id')
      .where('access_tokens.id', '=', id)
      .where(isVisible(actor, 'access_tokens'))
      .executeTakeFirst();
    if (!found) throw new NotFound({});
    const { role_id, ...row } = found;
    // A token of somebody who left the company works no more; anybody who sees it may tidy up.
    if (role_id !== null && row.user_id !== actor.userId && !outranks(actor, await requireRights(trx, role_id))) throw new Forbidden({});
    await trx.deleteFrom('access_tokens').where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [auditOfToken('access-tokens.remove', row, 'before')]);
    afterCommit(trx, () => ctx.live.closeSockets({ tokenId: id }));
  });
}

export const RoleNotAllowed = defineError('ROLE_NOT_ALLOWED');

export const ScopeNotInRole = defineError<{ scope: string }>('SCOPE_NOT_IN_ROLE');

/**
 * Whether a program of a company may have a role: as for people, a role that holds nothing that the actor lacks, built-in or of that company or
 * one above it; and never the system administrator's, which needs a person.
 */
export function mayGiveTo(
  actor: Pick<Actor, 'permissions' | 'scope' | 'companyId' | 'companyPath'>,
  role: RoleRights,
  company: { path: string },
): boolean {
  if (role.permissions.includes('super_admin') || !outranks(actor, role)) return false;
  return role.company === null || (seesCompany(actor, role.company) && company.path.startsWith(role.company.path));
}
