import { Type } from '../../kernel/type.ts';
import { created, ok, partial } from '../../kernel/answer.ts';
import { mailVerification } from '../../kernel/auth/verify-email.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { changedTexts, keptNumber } from '../../kernel/undo.ts';
import { registerInvitations } from './invitation-routes.ts';
import { presentUser } from './present.ts';
import { restoreMember } from './restore.ts';
import { listUsers } from './repo.ts';
import { endSessionsOfUser, listUserSessions } from './sessions.ts';
import { createUser, editUser, getUser, removeMfaOf, removeUser, removeUserByEmail, setStatuses, setUserStatus } from './service.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { inTransaction, afterCommit } from '../../kernel/db/database.ts';
import { listOwnMemberships } from '../../kernel/auth/memberships.ts';
import { NotFound } from '../../kernel/errors.ts';
import { HOUR } from '../../kernel/clock.ts';
import { createLimiter } from '../../kernel/limiter.ts';
import { writeAudit } from '../../kernel/audit.ts';

/** Addresses with an account that one person may come upon in an hour: an account is one for all companies, so its address can be taken elsewhere. */
const MAX_TAKEN_ADDRESSES = 10;
const tag = 'users';
const access = { permission: 'view_users' } as const;
const companyId = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));
const MAX_AT_ONCE = 100;
const statusesBody = Type.Object(
  {
    disabled: Type.Boolean(),
    members: Type.Array(
      Type.Object(
        { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), company_id: companyId },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: MAX_AT_ONCE,
      },
    ),
  },
  { additionalProperties: false },
);
const statusBody = Type.Object({ disabled: Type.Boolean(), company_id: companyId }, { additionalProperties: false });

/** Undo handlers of users. */
function registerUndos({ undos }: App): void {
  const inCompany = ['company_id', 'role_id', 'disabled_at'];
  undos.set('users.edit', {
    permission: 'update_users',
    inCompany,
    one: (ctx, caller, change) =>
      editUser(ctx, caller, change.entityId, {
        company_id: keptNumber(change.before, 'company_id'),
        ...changedTexts(change, ['first_name', 'last_name']),
        ...(change.isChanged('role_id') ? { role_id: keptNumber(change.before, 'role_id') } : {}),
      }),
  });
  undos.set('users.remove', { permission: 'create_users', inCompany: 'all', one: restoreMember });
  for (const [action, disabled] of [
    ['users.disable', false],
    ['users.enable', true],
  ] as const)
    undos.set(action, {
      permission: 'update_users',
      inCompany,
      one: (ctx, caller, { entityId, before }) =>
        setUserStatus(ctx, caller, entityId, { disabled, company_id: keptNumber(before, 'company_id') }),
    });
}

/** Registers the users room. */
export function registerUsers(app: App): void {
  registerInvitations(app);
  registerUndos(app);
  listRoute(app, {
    path: '/users',
    access,
    summary: 'Users that the caller sees.',
    tag,
    rules: listRulesOf('users', { sorts: ['id'], filters: { role: { kind: 'text', isNegatable: false } } }),
    async list(ctx, actor, query) {
      const { rows, total } = await listUsers(ctx.reads, ctx.database.tools, actor, query);
      return { rows: rows.map((row) => presentUser(row, actor)), total };
    },
    documented: { fields: [], total: '_total', extend: async (_ctx, _actor, rows) => rows },
  });
  route(app, {
    method: 'GET',
    path: '/users/:id',
    access,
    summary: 'One user.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getUser(ctx.reads, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/users/:id/sessions',
    access: { permission: 'update_users' },
    summary: 'Where a user is signed in, in the companies that the caller sees.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listUserSessions(ctx, actor, params.id)),
  });
  formRoute(app, 'users/end-sessions', async ({ ctx, actor, origin, params }) => {
    await endSessionsOfUser(ctx, { actor, origin }, params.id);
    return ok();
  });
  const takenAddresses = createLimiter({ max: MAX_TAKEN_ADDRESSES, windowMs: HOUR, now: () => app.ctx.clock.now() });
  formRoute(app, 'users/new', async ({ ctx, actor, origin, body, request }) => {
    const user = await createUser(ctx, { actor, origin }, body, takenAddresses);
    // Without a mail server their address counts as confirmed.
    if (ctx.mail) await mailVerification(ctx, user, languageOfCall(request.headers));
    return created(user);
  });
  formRoute(app, 'users/edit', async ({ ctx, actor, origin, params, body }) => ok(await editUser(ctx, { actor, origin }, params.id, body)));
  formRoute(app, 'users/remove', async ({ ctx, actor, origin, params, body }) => {
    await removeUser(ctx, { actor, origin }, params.id, body.company_id);
    return ok();
  });
  formRoute(
    app,
    'users/remove-by-email',
    async ({ ctx, actor, origin, body }) => {
      await removeUserByEmail(ctx, { actor, origin }, body.email);
      return ok();
    },
    { proof: 'sudo' },
  );
  formRoute(
    app,
    'users/remove-mfa',
    async ({ ctx, actor, origin, body }) => {
      await removeMfaOf(ctx, { actor, origin }, body.email);
      return ok();
    },
    { proof: 'sudo' },
  );
  route(app, {
    method: 'POST',
    path: '/user/company',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Lets the session act in another company of its person.',
    tag,
    body: Type.Object({ company_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await switchCompany(ctx, { actor, origin }, body.company_id);
      return ok();
    },
  });
  route(app, {
    method: 'PUT',
    path: '/users/status',
    access: { permission: 'update_users' },
    summary: 'Disables or enables several users, each by itself: one who cannot be changed leaves the others changed.',
    tag,
    body: statusesBody,
    async handler({ ctx, actor, origin, body }) {
      const { done, errors } = await setStatuses(ctx, { actor, origin }, body);
      return errors.length > 0 ? partial(done, errors) : ok(done);
    },
  });
  route(app, {
    method: 'PUT',
    path: '/users/:id/status',
    access: { permission: 'update_users' },
    summary: 'Disables or enables a user.',
    tag,
    params: idParams,
    body: statusBody,
    handler: async ({ ctx, actor, origin, params, body }) => ok(await setUserStatus(ctx, { actor, origin }, params.id, body)),
  });
}

/**
 * Lets a session act in another company of its person, with the role that they have there; the next sign-in begins there. What was followed
 * live in the old company ends. Throws SESSION_REQUIRED for access tokens, NOT_FOUND at `company_id`.
 */
export async function switchCompany(ctx: Context, { actor, origin }: Caller, companyId: number): Promise<void> {
  const { sessionId, userId, name } = actor;
  if (sessionId === undefined) throw new SessionRequired({});
  await inTransaction(ctx.db, async (trx) => {
    const own = await listOwnMemberships(trx, userId);
    const next = own.find((membership) => membership.company_id === companyId);
    if (!next) throw new NotFound({}, { source: 'company_id' });
    await trx.updateTable('sessions').set({ company_id: companyId }).where('id', '=', sessionId).execute();
    await trx.updateTable('users').set({ company_id: companyId }).where('id', '=', userId).execute();
    const entry = { action: 'account.switch-company', entity: 'user', entityId: userId, entityName: name };
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      // Where somebody came from is not for those who see only where they went.
      { ...entry, companyId, before: null, after: { company_id: companyId } },
    ]);
    afterCommit(trx, () => ctx.live.closeSockets({ sessionId }));
  });
}
