import { describe, expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { route } from '../../server/kernel/route.ts';
import { ok } from '../../server/kernel/answer.ts';
import { as, send, type Answer } from '../helpers/as.ts';
import { asProgram, programOf, type Program } from '../helpers/program.ts';
import { anyPath, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { makeCompany, makeTag, makeUser, roleIdOf } from '../helpers/factories.ts';
import { makeApplication, makeServiceAccount } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const nameOf = ({ method, path }: RouteInfo): string => `${method} ${path}`;

/** What every access token may do beside its scopes: say whose it is, and read lists that are nobody's own. */
const EVERY_TOKEN = [
  'GET /api/account/permissions',
  'GET /api/account/scopes',
  'GET /api/avatars/:key',
  'GET /api/timezones',
  'GET /status/channel/done.:ids',
  'GET /api/user',
];

/** Calls whose handlers ask for the scopes of what they are about: the form, the record that is taken back, the device that is reached. */
const ASKED_BY_HANDLER = [
  'GET /api/forms/added',
  'GET /api/remote/terms',
  'GET /forms-code/:room/:file',
  'POST /api/forms/:room/:name/run',
  'POST /api/history/undo',
  'POST /api/remote/consents',
];

/** What the scope `view_tags` gives beside that. */
const VIEW_TAGS = ['GET /api/tags', 'GET /api/tags/:id', 'GET /api/tags/:id/rule', 'GET /api/tags/:id/usage', 'GET /api/tags/export/csv'];

/** What scopes that only read give beside reading: it keeps or starts something that only the caller reads. */
const READS_BY_POST = [
  'POST /api/automations/back-test',
  'POST /api/credits/report',
  'POST /api/devices/:id/hotspots/:index/users/refresh',
  'POST /api/devices/:id/information-history/export',
  'POST /api/devices/connect/status',
  'POST /api/email-templates/:id/preview',
  'POST /api/files/download/zip',
];

/** Undoing asks for the right to what is undone as well. */
const UNDOES = ['POST /api/history/:id/undo', 'POST /api/history/changes/:id/undo'];

/** Calls that no access token may make, whatever its scopes. */
const PEOPLE_ALONE = [
  'DELETE /api/account/access-tokens/:id',
  'DELETE /api/account/avatar',
  'DELETE /api/account/sessions',
  'DELETE /api/account/sessions/:id',
  'DELETE /api/admin/users',
  'DELETE /api/admin/users/mfa',
  'DELETE /api/mfa',
  'DELETE /api/mfa/passkeys/:id',
  'DELETE /api/notifications/rules/:id',
  'DELETE /api/storage/:key',
  'DELETE /api/views/:id',
  'GET /api/account/authorize',
  'GET /api/account/sessions',
  'GET /api/account/terms',
  'GET /api/announcements',
  'GET /api/home',
  'GET /api/mfa',
  'GET /api/notifications',
  'GET /api/notifications/digest',
  'GET /api/notifications/export/csv',
  'GET /api/notifications/rules',
  'GET /api/notifications/rules/:id',
  'GET /api/notifications/rules/export/csv',
  'GET /api/remote/shared',
  'GET /api/remote/shared/export/csv',
  'GET /api/storage',
  'GET /api/views',
  'POST /api/account/access-tokens',
  'POST /api/account/authorize',
  'POST /api/account/external/confirm',
  'POST /api/account/user/activation/resend',
  'POST /api/applications',
  'POST /api/applications/:id/secret',
  'POST /api/devices/configurator/change-sets/:id/approve',
  'POST /api/devices/passwords/:id/show',
  'POST /api/invitations/join',
  'POST /api/mfa',
  'POST /api/mfa/passkeys',
  'POST /api/mfa/passkeys/options',
  'POST /api/mfa/recovery-codes',
  'POST /api/notifications/rules',
  'POST /api/password-confirmation',
  'POST /api/remote/shared/:id/connect',
  'POST /api/service-accounts/:id/tokens',
  'POST /api/storage',
  'POST /api/tasks/:id/download/passwords',
  'POST /api/user/company',
  'POST /api/user/confirm-impersonation-access',
  'POST /api/user/impersonation-request',
  'POST /api/user/revoke-impersonation-access',
  'POST /api/users/:id/impersonation-requests',
  'POST /api/users/impersonation-logs/:id/end',
  'POST /api/users/impersonation/:id/start',
  'POST /api/views',
  'POST /api/vpn/hubs/:id/configuration',
  'PUT /api/account/avatar',
  'PUT /api/account/email',
  'PUT /api/account/password',
  'PUT /api/account/profile',
  'PUT /api/account/user',
  'PUT /api/announcements',
  'PUT /api/companies/:id/second-factor',
  'PUT /api/mfa',
  'PUT /api/mfa/passkeys/:id',
  'PUT /api/notifications',
  'PUT /api/notifications/digest',
  'PUT /api/notifications/rules/:id',
  'PUT /api/remote/entries/:id/favourite',
  'PUT /api/storage/:key',
  'PUT /api/user/impersonation-access',
  'PUT /api/views/:id',
];

async function refusals(world: World, headers: Record<string, string>): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const info of world.app.routes.filter(({ access }) => access !== 'public')) {
    const path = anyPath(info);
    const answer = await send(world, info.method as 'GET', path.startsWith('/api') ? path.slice(4) : `/${path}`, {
      headers,
      // An empty object: rights are checked before the rules of the body, and what is let in changes nothing.
      ...(info.method === 'GET' ? {} : { body: {} }),
    });
    const code = answer.status === 403 ? answer.codes[0] : undefined;
    codes[nameOf(info)] = code === 'FORBIDDEN' || code === 'SESSION_REQUIRED' ? code : 'let in';
  }
  return codes;
}

const named = (codes: Record<string, string>, code: string): string[] =>
  Object.keys(codes)
    .filter((name) => codes[name] === code)
    .toSorted();

/** The three kinds of tokens, of people who may do everything. */
async function programsOf(world: World, scopes: string[]): Promise<Record<string, Program>> {
  const person = await makeUser(world, { role: 'super_admin' });
  const ofApplication = await programOf(world, person, scopes);
  const application = await makeApplication(world, { company: { id: person.company_id } });
  await world.ctx.db
    .updateTable('access_tokens')
    .set({ application_id: application.id, access_expires_at: ofApplication.token.expires_at })
    .where('id', '=', ofApplication.token.id)
    .execute();
  return {
    personal: await programOf(world, person, scopes),
    'service account': await programOf(world, await makeServiceAccount(world, { role: 'super_admin' }), scopes),
    application: ofApplication,
  };
}

const requestOf = (answer: Answer) => ({ request_id: String(answer.headers['x-request-id']) });

const sorted = (...lists: string[][]): string[] => lists.flat().toSorted();

describe('what an access token may do', () => {
  test('a token of the least scope may do what that scope says, and everything else is refused [HN7]', async () => {
    await using world = await makeWorld();
    for (const [kind, program] of Object.entries(await programsOf(world, ['view_tags']))) {
      const codes = await refusals(world, program.headers);
      expect([kind, ...named(codes, 'let in')]).toEqual([kind, ...sorted(EVERY_TOKEN, ASKED_BY_HANDLER, VIEW_TAGS)]);
    }
  });

  test('a token with every scope does nothing that is for people alone [HN7]', async () => {
    await using world = await makeWorld();
    for (const [kind, program] of Object.entries(await programsOf(world, ['super_admin', ...permissionNames]))) {
      const codes = await refusals(world, program.headers);
      expect([kind, ...named(codes, 'SESSION_REQUIRED')]).toEqual([kind, ...PEOPLE_ALONE]);
      expect(named(codes, 'FORBIDDEN')).toEqual([]);
    }
  });

  test('scopes that only read let a token change nothing [HN7]', async () => {
    await using world = await makeWorld();
    const scopes = permissionNames.filter((name) => name.startsWith('view_'));
    const codes = await refusals(world, (await asProgram(world, 'super_admin', { scopes })).headers);
    const changing = named(codes, 'let in').filter((name) => !name.startsWith('GET '));
    const byHandler = ASKED_BY_HANDLER.filter((name) => !name.startsWith('GET '));
    expect(changing).toEqual(sorted(READS_BY_POST, UNDOES, byHandler));
  });

  test('a route that asks for no permission and does not say what tokens may do there does not start [HN7]', async () => {
    await using world = await makeWorld();
    const spec = { path: '/anything', access: 'signed-in', summary: '', tag: '', handler: async () => ok() } as const;
    expect(() => route(world.app, { ...spec, method: 'GET' })).toThrow('Route GET /api/anything asks for no permission');
    expect(() => route(world.app, { ...spec, method: 'PUT', tokens: 'all' })).toThrow('Route PUT /api/anything changes something');
  });

  test('calls whose handlers ask for scopes refuse a token that lacks them [HN7]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const person = await as(world, 'admin', { company });
    const program = await programOf(world, person.user, ['view_devices']);
    const tag = await makeTag(world, { company, name: 'shore' });
    const changed = await person.put(`/tags/${tag.id}`, { name: 'quay' });
    const reader = await programOf(world, person.user, ['view_tags', 'view_history']);
    expect(await reader.post('/history/undo', requestOf(changed))).toMatchObject({ status: 403, codes: ['FORBIDDEN'] });
    const writer = await programOf(world, person.user, ['view_tags', 'update_tags']);
    expect(await writer.post('/history/undo', requestOf(changed))).toMatchObject({ status: 200 });
    expect(await program.post('/forms/devices/reboot/run', { device_id: [UNKNOWN_ID] })).toMatchObject({ status: 404 });
    expect(await program.get('/remote/terms', { device: UNKNOWN_ID })).toMatchObject({ status: 403, codes: ['FORBIDDEN'] });
  });

  test('what was shared with a person is reached by no token of theirs [HN7]', async () => {
    await using world = await makeWorld();
    const program = await asProgram(world, 'super_admin');
    expect(await program.get('/remote/terms', { link: 1 })).toMatchObject({ status: 403, codes: ['SESSION_REQUIRED'] });
    expect(await program.post('/remote/consents', { link: 1, purpose: 'A look' })).toMatchObject({
      status: 403,
      codes: ['SESSION_REQUIRED'],
    });
  });

  test('a token says whose it is and nothing of their other companies [HN7]', async () => {
    await using world = await makeWorld();
    const { user } = await as(world, 'admin');
    const elsewhere = await makeCompany(world, { name: 'Elsewhere' });
    await world.ctx.db
      .insertInto('memberships')
      .values({ user_id: user.id, company_id: elsewhere.id, role_id: roleIdOf('admin'), created_at: 0, updated_at: 0 })
      .execute();
    const own = await (await programOf(world, user, ['view_tags'])).get('/user');
    expect(own.text).not.toContain('Elsewhere');
    expect(own.data).toMatchObject({ id: user.id, impersonation_access_limit: null });
  });
});
