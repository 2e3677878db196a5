import type { CurrentUser } from '../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { can, personOf, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { Unauthorized } from '../../kernel/errors.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { listOwnMemberships } from '../../kernel/auth/memberships.ts';
import { isOffered } from '../../kernel/auth/permission-list.ts';
import { findFactors, methodOf } from '../../kernel/auth/second-factors.ts';
import { idsOnPath, topOf } from '../../kernel/tenancy.ts';
import { findTheme } from '../themes.ts';
import { countryOfZone } from './zone-country.ts';

function findPerson(ctx: Pick<Context, 'reads'>, actor: Actor) {
  return ctx.reads
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .leftJoin('avatars', 'avatars.user_id', 'users.id')
    .leftJoin('storage as zone', (join) => join.onRef('zone.user_id', '=', 'users.id').on('zone.key', '=', 'timezone'))
    .select(['users.id', 'users.username', 'users.email', 'users.first_name', 'users.last_name', 'users.last_login_at'])
    .select([
      'users.impersonation_until',
      'users.accepted_terms',
      'users.email_unverified',
      'roles.name as role_name',
      'roles.title as role_title',
      'roles.start_page',
    ])
    .select(['companies.name as company_name', 'companies.level', 'companies.parent_id', 'avatars.key as avatar_key', 'zone.value as zone'])
    .where('users.id', '=', personOf(actor))
    .where('memberships.company_id', '=', actor.companyId)
    .executeTakeFirst();
}

/** Whether a company and all above it are shown where resources are bought. */
async function isShownPayment({ reads }: Pick<Context, 'reads'>, companyPath: string): Promise<boolean> {
  const hidden = await reads
    .selectFrom('companies')
    .select('id')
    .where('id', 'in', idsOnPath(companyPath))
    .where('show_payment', '=', 0)
    .executeTakeFirst();
  return hidden === undefined;
}

/** The shared views that lists open with for the actor's role: those of its company, else of the nearest above it, else of the installation. */
async function defaultViews({ reads }: Pick<Context, 'reads'>, actor: Actor): Promise<Record<string, number>> {
  const rows = await reads
    .selectFrom('view_roles')
    .innerJoin('views', 'views.id', 'view_roles.view_id')
    .select(['views.id', 'views.resource', 'views.company_id'])
    .where('view_roles.role_id', '=', actor.roleId)
    .where(({ eb, or, and }) =>
      or([
        and([eb('views.share', '=', 'company'), eb('views.company_id', '=', actor.companyId)]),
        and([
          eb('views.share', '=', 'everyone'),
          or([eb('views.company_id', 'is', null), eb('views.company_id', 'in', idsOnPath(actor.companyPath))]),
        ]),
      ]),
    )
    .execute();
  const path = idsOnPath(actor.companyPath);
  const depth = (id: number | null): number => (id === null ? -1 : path.indexOf(id));
  const nearest = rows.toSorted((a, b) => depth(a.company_id) - depth(b.company_id));
  return Object.fromEntries(nearest.map(({ resource, id }) => [resource, id]));
}

/** The country of the time zone that a person chose, from the setting's JSON text. */
function countryOf(zone: string | null): string | null {
  const name: unknown = zone === null ? null : JSON.parse(zone);
  return typeof name === 'string' ? countryOfZone(name) : null;
}

/** Who is signed in, with all that it may do; while impersonating, the one on whose behalf, and in `act` who really acts. */
export async function getCurrentUser(ctx: Pick<Context, 'reads' | 'clock' | 'config'>, actor: Actor): Promise<CurrentUser> {
  const row = await findPerson(ctx, actor);
  if (!row) throw new Unauthorized({});
  const memberships = await listOwnMemberships(ctx.reads, row.id);
  const factors = await findFactors(ctx.reads, row.id);
  const isImpersonating = actor.onBehalfOf !== null;
  const now = ctx.clock.now();
  const theme = (await findTheme(ctx.reads, topOf(actor.companyPath))) ?? null;
  const showPayment = ctx.config.hasResources && theme?.show_payment === true && (await isShownPayment(ctx, actor.companyPath));
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    avatar_url: row.avatar_key === null ? null : `/api/avatars/${row.avatar_key}`,
    company: {
      id: actor.companyId,
      // The company above is not the user's to see.
      parent_id: actor.scope === 'all' ? row.parent_id : null,
      name: row.company_name,
      level: row.level,
      show_payment: showPayment,
    },
    company_id: actor.companyId,
    company_name: row.company_name,
    role: { id: actor.roleId, name: row.role_name, title: row.role_title },
    role_id: actor.roleId,
    role_title: row.role_title,
    start_page: row.start_page,
    default_views: isProgram(actor) ? {} : await defaultViews(ctx, actor),
    tos_accepted: ctx.config.terms === undefined || row.accepted_terms === ctx.config.terms.version,
    mfa_type: factors ? methodOf(factors) : null,
    email_verified: row.email_unverified === 0,
    exp: Math.max(0, Math.floor((actor.expiresAt - now) / 1000)),
    permissions: permissionNames.filter((name) => isOffered(ctx.config, name) && can(actor, name)),
    last_login_at: wireTime(row.last_login_at),
    country_iso_code: countryOf(row.zone),
    // Neither programs nor anyone who impersonates somebody sees anything of their other companies.
    memberships:
      isImpersonating || isProgram(actor) ? memberships.filter((membership) => membership.company_id === actor.companyId) : memberships,
    impersonation_access_limit: wireTime(
      !isProgram(actor) && row.impersonation_until !== null && row.impersonation_until > now ? row.impersonation_until : null,
    ),
    isImpersonating,
    act: isImpersonating ? { id: actor.userId, username: actor.name } : null,
    scope: actor.scope,
    show_payment: showPayment,
    show_payment_control: isOffered(ctx.config, 'update_company_payment') && can(actor, 'update_company_payment'),
    theme,
  };
}
