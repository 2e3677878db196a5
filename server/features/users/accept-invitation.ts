import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { can, type Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { hashNewPassword } from '../../kernel/auth/passwords.ts';
import { insertUser } from '../../kernel/auth/memberships.ts';
import { createSession, type SessionTokens } from '../../kernel/auth/sessions.ts';
import { findRoleRights } from '../../kernel/auth/role-rights.ts';
import { hashToken } from '../../kernel/auth/tokens.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { insertCompany } from '../../domain/insert-company.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { seesCompany } from '../../kernel/tenancy.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { CompanyNameNeeded, InvitationRefused } from './errors.ts';
import { mayGiveRole } from './policy.ts';

type Invitation = Row<'invitations'>;
type Input = FormData['users/accept-invitation'];

export interface Open {
  invitation: Invitation;
  company: Row<'companies'>;
}

/** An invitation is worth no more than the rights that its inviter has today. */
async function isBacked(config: Context['config'], db: Db, { invitation, company }: Open): Promise<boolean> {
  const inviter = await findUserActor({ reads: db, config }, { userId: invitation.invited_by, companyId: invitation.inviter_company_id });
  const role = await findRoleRights(db, invitation.role_id);
  if (!inviter || !role || !seesCompany(inviter, company) || !mayGiveRole(inviter, role, company)) return false;
  if (invitation.is_independent) return can(inviter, 'super_admin');
  return can(inviter, invitation.is_distributor ? 'create_companies' : 'create_users');
}

/** The invitation of a token. Throws INVITATION_REFUSED, the same for an unknown, used, expired and no longer backed one. */
export async function requireInvitation(ctx: Context, db: Db, token: string): Promise<Open> {
  const invitation = await db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', hashToken(token.trim()))
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  const company = invitation && (await db.selectFrom('companies').selectAll().where('id', '=', invitation.company_id).executeTakeFirst());
  if (!company || !(await isBacked(ctx.config, db, { invitation, company }))) throw new InvitationRefused({});
  return { invitation, company };
}

/** What an invited person is shown before they accept. Throws INVITATION_REFUSED. */
export async function lookAtInvitation(ctx: Context, token: string) {
  const { invitation, company } = await requireInvitation(ctx, ctx.reads, token);
  // Not whether the address has an account: where no mail server carries it, the link is in the hands of the person who invites.
  return {
    email: invitation.email,
    company_name: company.name,
    is_distributor: invitation.is_distributor === 1,
  };
}

export async function openCompany(
  trx: Trx,
  { invitation, company }: Open,
  name: string | undefined,
  at: number,
): Promise<Row<'companies'>> {
  if (invitation.is_distributor === 0) return company;
  if (name === undefined) throw new CompanyNameNeeded({}, { source: 'company_name' });
  return insertCompany(trx, invitation.is_independent ? null : company, { name }, at);
}

/**
 * Makes the user of an invitation (for a distributor, the company too) and signs it in. One of many calls with the same token succeeds.
 * Throws INVITATION_REFUSED, also for an address that has an account, which joins by `joinCompany`, and COMPANY_NAME_NEEDED at `company_name`.
 */
export async function acceptInvitation(ctx: Context, input: Input, origin: Origin): Promise<SessionTokens> {
  const { invitation } = await requireInvitation(ctx, ctx.reads, input.token);
  const passwordHash = await hashNewPassword(input.password, invitation);
  return refuseDuplicate(
    () => join(ctx, input, { origin, passwordHash }),
    (cause) => new InvitationRefused({}, { cause }),
  );
}

function join(ctx: Context, input: Input, { origin, passwordHash }: { origin: Origin; passwordHash: string }): Promise<SessionTokens> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const open = await requireInvitation(ctx, trx, input.token);
    const { numDeletedRows } = await trx.deleteFrom('invitations').where('id', '=', open.invitation.id).executeTakeFirst();
    if (numDeletedRows !== 1n) throw new InvitationRefused({});
    const company = await openCompany(trx, open, input.company_name, at);
    const user = await insertInvited(trx, { input, invitation: open.invitation, companyId: company.id, passwordHash, at });
    const { password_hash: _hash, ...shown } = user;
    const actor = { userId: user.id, name: user.username, onBehalfOf: null, tokenName: null };
    const basics = { companyId: company.id, before: null };
    await writeAudit(trx, { actor, origin, at }, [
      ...(company.id === open.company.id
        ? []
        : [
            {
              ...basics,
              action: 'companies.new',
              entity: 'company',
              entityId: company.id,
              entityName: company.name,
              after: { ...company },
            },
          ]),
      { ...basics, action: 'users.accept-invitation', entity: 'user', entityId: user.id, entityName: user.username, after: shown },
    ]);
    await queueNotifications(trx, at, [
      {
        kind: 'invitationAccepted',
        companyId: open.company.id,
        subjectId: user.id,
        subjectName: user.username,
        userId: open.invitation.invited_by,
      },
    ]);
    return createSession(ctx, trx, { userId: user.id, origin, now: at });
  });
}

async function insertInvited(
  trx: Trx,
  {
    input,
    invitation,
    companyId,
    passwordHash,
    at,
  }: { input: Input; invitation: Invitation; companyId: number; passwordHash: string; at: number },
): Promise<Row<'users'>> {
  return insertUser(trx, {
    email: invitation.email,
    username: `${input.first_name} ${input.last_name}`,
    first_name: input.first_name,
    last_name: input.last_name,
    password_hash: passwordHash,
    company_id: companyId,
    role_id: invitation.role_id,
    last_login_at: at,
    created_at: at,
  });
}
