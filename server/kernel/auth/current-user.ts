import type { CurrentUser } from '../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { can, type Actor } from '../actor.ts';
import { wireTime } from '../clock.ts';
import { Unauthorized } from '../errors.ts';
import { findSecondFactor } from './second-factors.ts';

/** The current user with what the console asks of every user, whether this version has it or not. */
export type PresentedUser = CurrentUser & {
  scope: Actor['scope'];
  impersonation_access_limit: null;
  isImpersonating: false;
  show_payment: false;
  show_payment_control: false;
};

/** Who is signed in, with all that it may do. */
export async function getCurrentUser(ctx: Pick<Context, 'reads' | 'clock' | 'config'>, actor: Actor): Promise<PresentedUser> {
  const row = await ctx.reads
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('avatars', 'avatars.user_id', 'users.id')
    .select([
      'users.first_name',
      'users.last_name',
      'users.last_login_at',
      'users.accepted_terms',
      'roles.name as role_name',
      'roles.title as role_title',
    ])
    .select(['companies.name as company_name', 'companies.level', 'companies.parent_id', 'avatars.key as avatar_key'])
    .where('users.id', '=', actor.userId)
    .executeTakeFirst();
  if (!row) throw new Unauthorized({});
  return {
    id: actor.userId,
    username: actor.name,
    email: actor.email,
    first_name: row.first_name,
    last_name: row.last_name,
    avatar_url: row.avatar_key === null ? null : `/api/avatars/${row.avatar_key}`,
    company: {
      id: actor.companyId,
      // The company above is not the user's to see.
      parent_id: actor.scope === 'all' ? row.parent_id : null,
      name: row.company_name,
      level: row.level,
    },
    company_id: actor.companyId,
    company_name: row.company_name,
    role: { id: actor.roleId, name: row.role_name, title: row.role_title },
    role_id: actor.roleId,
    role_title: row.role_title,
    tos_accepted: ctx.config.terms === undefined || row.accepted_terms === ctx.config.terms.version,
    mfa_type: (await findSecondFactor(ctx.reads, actor.userId))?.method ?? null,
    exp: Math.max(0, Math.floor((actor.expiresAt - ctx.clock.now()) / 1000)),
    permissions: permissionNames.filter((name) => can(actor, name)),
    last_login_at: wireTime(row.last_login_at),
    scope: actor.scope,
    impersonation_access_limit: null,
    isImpersonating: false,
    show_payment: false,
    show_payment_control: false,
  };
}
