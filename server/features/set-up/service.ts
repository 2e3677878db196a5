import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashNewPassword } from '../../kernel/auth/passwords.ts';
import { insertUser } from '../../kernel/auth/memberships.ts';
import { createSession, type SessionTokens } from '../../kernel/auth/sessions.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { consumeSetUpToken, forgetSetUpToken, isSetUpNeeded } from './set-up-token.ts';
import { defineError } from '../../kernel/errors.ts';

type Input = FormData['set-up/first-administrator'];

function superAdminRoleId(): number {
  const role = permissionsFile.roles.find((entry) => entry.key === 'super_admin');
  if (!role) throw new Error('schemas/permissions.json has no role super_admin');
  return role.id;
}

async function insertTopCompany(trx: Trx, name: string, at: number) {
  const { id } = await trx
    .insertInto('companies')
    .values({ name, level: 1, parent_id: null, path: '/', created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return trx
    .updateTable('companies')
    .set({ path: `/${id}/` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function insertAdministrator(trx: Trx, companyId: number, input: Input, passwordHash: string, at: number) {
  return insertUser(trx, {
    email: input.email.trim().toLowerCase(),
    username: `${input.first_name} ${input.last_name}`,
    first_name: input.first_name,
    last_name: input.last_name,
    password_hash: passwordHash,
    company_id: companyId,
    role_id: superAdminRoleId(),
    last_login_at: at,
    created_at: at,
  });
}

/**
 * Makes the top company and the first administrator, and signs it in. The token works once, for one of many at the same time.
 * Throws SET_UP_DONE, or WRONG_SET_UP_TOKEN at `token`.
 */
export async function setUp(ctx: Context, input: Input, origin: Origin): Promise<SessionTokens> {
  if (!(await isSetUpNeeded(ctx.reads))) throw new SetUpDone({});
  const passwordHash = await hashNewPassword(input.password, input);
  const at = ctx.clock.now();
  const tokens = await inTransaction(ctx.db, async (trx) => {
    if (!(await isSetUpNeeded(trx))) throw new SetUpDone({});
    if (!(await consumeSetUpToken(trx, input.token.trim()))) throw new WrongSetUpToken({}, { source: 'token' });
    const company = await insertTopCompany(trx, input.company_name, at);
    const user = await insertAdministrator(trx, company.id, input, passwordHash, at);
    const { password_hash: _hash, ...shown } = user;
    const actor = { userId: user.id, name: user.username, onBehalfOf: null, tokenName: null };
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.new',
        entity: 'company',
        entityId: company.id,
        entityName: company.name,
        companyId: company.id,
        before: null,
        after: { ...company },
      },
      {
        action: 'users.new',
        entity: 'user',
        entityId: user.id,
        entityName: user.username,
        companyId: company.id,
        before: null,
        after: shown,
      },
    ]);
    return createSession(ctx, trx, { userId: user.id, origin, now: at });
  });
  forgetSetUpToken(ctx);
  return tokens;
}

export const SetUpDone = defineError('SET_UP_DONE');

export const WrongSetUpToken = defineError('WRONG_SET_UP_TOKEN');
