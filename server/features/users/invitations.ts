import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { RoleEntry } from '../../../schemas/kit/form/types.ts';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findRoleRights } from '../../kernel/auth/role-rights.ts';
import { hashToken, randomToken } from '../../kernel/auth/tokens.ts';
import { DAY } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { CompanyTooDeep, EmailTaken, RoleNotAllowed } from './errors.ts';
import { findVisibleInvitation } from './invitation-repo.ts';
import { mayGiveRole } from './policy.ts';

const VALID_MS = 7 * DAY;
const DEEPEST_LEVEL = 3;
/** Without a word about the role, somebody comes as a guest. */
const DEFAULT_ROLE = 'read_only';

/** What the inviter gets: the link itself only when no mail could carry it. */
export interface Invited {
  id: number;
  email: string;
  is_mailed: boolean;
  url: string | null;
}

interface NewInvitation {
  email: string;
  company: Row<'companies'>;
  roleId: number;
  /** The field that named the role. */
  roleSource?: 'role' | 'role_id';
  isDistributor: boolean;
  /** The new company of a distributor belongs to nobody. */
  isIndependent?: boolean;
  language: Language;
}

function roleIdOf(key: string): number {
  const role = (permissionsFile.roles as RoleEntry[]).find((entry) => entry.key === key);
  if (!role) throw new Error(`no built-in role "${key}"`);
  return role.id;
}

/** Keeps the invitation; an earlier one of the same address to the same company is void. */
async function insertInvitation(trx: Trx, row: Omit<Row<'invitations'>, 'id'>): Promise<Row<'invitations'>> {
  await trx.deleteFrom('invitations').where('email', '=', row.email).where('company_id', '=', row.company_id).execute();
  return trx.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Whether somebody with this address belongs to the company. That an address has an account elsewhere is not revealed. */
async function isMember(trx: Trx, email: string, companyId: number): Promise<boolean> {
  const member = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('users.email', '=', email)
    .where('memberships.company_id', '=', companyId)
    .executeTakeFirst();
  return member !== undefined;
}

async function makeInvitation(ctx: Context, { actor, origin }: Caller, request: NewInvitation): Promise<Invited> {
  const { company, isDistributor, roleId, isIndependent = false } = request;
  const email = request.email.trim().toLowerCase();
  const token = randomToken();
  const at = ctx.clock.now();
  const invitation = await inTransaction(ctx.db, async (trx) => {
    const role = await findRoleRights(trx, roleId);
    if (!role || !mayGiveRole(actor, role, company)) throw new RoleNotAllowed({}, { source: request.roleSource ?? 'role_id' });
    if (await isMember(trx, email, company.id)) throw new EmailTaken({}, { source: 'email' });
    const row = await insertInvitation(trx, {
      email,
      company_id: company.id,
      role_id: roleId,
      is_distributor: isDistributor ? 1 : 0,
      is_independent: isIndependent ? 1 : 0,
      token_hash: hashToken(token),
      invited_by: actor.userId,
      inviter_company_id: actor.companyId,
      sent_at: null,
      mail_error: null,
      expires_at: at + VALID_MS,
      created_at: at,
    });
    const { token_hash: _hash, ...kept } = row;
    await writeAudit(trx, { actor, origin, at }, [
      { action: 'users.invite', entity: 'user', entityId: null, entityName: email, companyId: company.id, before: null, after: kept },
    ]);
    return row;
  });
  // After the `#`, so that it is in no log and in no Referer.
  const url = `${ctx.publicUrl()}/invitation#${token}`;
  const mail = await writeMail(ctx, company.id, {
    to: email,
    kind: 'invitation',
    language: request.language,
    values: { inviter: actor.name, company: company.name, url },
  });
  const isMailed = (await sendMail(ctx, company.id, mail)) === 'sent';
  return { id: invitation.id, email, is_mailed: isMailed, url: isMailed ? null : url };
}

/** Invites somebody into a company. Throws NOT_FOUND at `company_id`, ROLE_NOT_ALLOWED at `role` or `role_id`, EMAIL_TAKEN at `email`. */
export async function inviteUser(ctx: Context, caller: Caller, input: FormData['users/invite'], language: Language): Promise<Invited> {
  const company = await requireCompany(ctx.reads, caller.actor, input.company_id, 'company_id');
  return makeInvitation(ctx, caller, {
    email: input.email,
    company,
    roleId: input.role === undefined ? (input.role_id ?? roleIdOf(DEFAULT_ROLE)) : roleIdOf(input.role),
    roleSource: input.role === undefined ? 'role_id' : 'role',
    isDistributor: false,
    language,
  });
}

/**
 * Invites somebody to open a company of their own, as its administrator: below the actor's, or independent of all others. Throws COMPANY_TOO_DEEP,
 * EMAIL_TAKEN at `email`.
 */
export async function inviteDistributor(
  ctx: Context,
  caller: Caller,
  { email, is_independent: isIndependent = false }: FormData['companies/invite'],
  language: Language,
): Promise<Invited> {
  const company = await requireCompany(ctx.reads, caller.actor, caller.actor.companyId);
  if (!isIndependent && company.level >= DEEPEST_LEVEL) throw new CompanyTooDeep({});
  return makeInvitation(ctx, caller, { email, company, roleId: roleIdOf('admin'), isDistributor: true, isIndependent, language });
}

/**
 * Sends an invitation again with a new token, valid for as long as a new one; the old link is dead. It has the rights of its new sender.
 * Throws NOT_FOUND, FORBIDDEN, ROLE_NOT_ALLOWED, and EMAIL_TAKEN for somebody who is a member by now.
 */
export async function resendInvitation(ctx: Context, caller: Caller, id: number, language: Language): Promise<Invited> {
  const invitation = await findVisibleInvitation(ctx.reads, caller.actor, id);
  if (!invitation) throw new NotFound({});
  const isDistributor = invitation.is_distributor === 1;
  if (isDistributor) requirePermission(caller.actor, 'create_companies');
  const company = await requireCompany(ctx.reads, caller.actor, invitation.company_id);
  const isIndependent = invitation.is_independent === 1;
  if (isIndependent) requirePermission(caller.actor, 'super_admin');
  return makeInvitation(ctx, caller, {
    email: invitation.email,
    company,
    roleId: invitation.role_id,
    isDistributor,
    isIndependent,
    language,
  });
}

/** Withdraws an invitation: its link is dead. Throws NOT_FOUND. */
export async function withdrawInvitation(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const invitation = await findVisibleInvitation(trx, actor, id);
    if (!invitation) throw new NotFound({});
    await trx.deleteFrom('invitations').where('id', '=', id).execute();
    const { token_hash: _hash, role_name: _role, ...before } = invitation;
    const entry = { entity: 'user', entityId: null, entityName: invitation.email, companyId: invitation.company_id };
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [{ ...entry, action: 'users.withdraw-invitation', before, after: null }]);
  });
}
