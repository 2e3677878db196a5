import { describe, expect, test } from 'vitest';
import { acceptInvitation } from '../../server/features/users/accept-invitation.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as, send, type Answer } from '../helpers/as.ts';
import { changeMember, makeCompany, makeTree } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PERSON = { first_name: 'Kari', last_name: 'Nordmann', password: 'a long enough phrase' };
const EMAIL = 'kari@example.org';

const tokenOf = (url: unknown): string => String(url).split('#')[1] ?? '';

function accept(world: World, body: Record<string, unknown>): Promise<Answer> {
  return send(world, 'POST', '/invitations/accept', { body, headers: { origin: world.ctx.publicUrl() } });
}

const look = (world: World, token: string): Promise<Answer> => send(world, 'POST', '/invitations/look', { body: { token } });

describe('inviting a user', () => {
  test('a role that may not be given is refused at the field that named it', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const body = { company_id: admin.user.company_id, email: EMAIL };
    const refused = [{ code: 'ROLE_NOT_ALLOWED', source: 'role_id' }];
    expect((await admin.post('/users/invite', { ...body, role_id: 5 })).errors).toMatchObject(refused);
    expect((await admin.post('/users/invite', { ...body, role: 'support' })).errors).toMatchObject([{ ...refused[0], source: 'role' }]);
  });

  test('without a mail server the inviter is shown the link once; it leads into the company with the role', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const invited = await admin.post('/users/invite', { company_id: middle.id, email: 'Kari@Example.org', role: 'end_user' });
    expect(invited).toMatchObject({ status: 201, data: { email: EMAIL, is_mailed: false, url: expect.stringContaining('/invitation#') } });
    const token = tokenOf(invited.data.url);
    expect((await look(world, token)).data).toEqual({ email: EMAIL, company_name: 'Middle', is_distributor: false });
    const joined = await accept(world, { token, ...PERSON });
    expect(joined).toMatchObject({ status: 200, data: { email: EMAIL, company_id: middle.id, role: { name: 'end_user' } } });
    expect(joined.headers['set-cookie']).toHaveLength(3);
    const { data } = await admin.get('/history');
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(['users.accept-invitation', 'users.invite']);
    expect(data[1].entity_name).toBe(EMAIL);
  });

  test('the token has 256 bits, is kept as a hash only, and is in no log [SE6]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const token = tokenOf((await admin.post('/users/invite', { company_id: admin.user.company_id, email: EMAIL })).data.url);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const kept = await Promise.all(
      (['invitations', 'audit'] as const).map((table) => world.ctx.db.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(kept) + world.log()).not.toContain(token);
  });

  test('with a mail server the link goes to the address, and not to the inviter', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const company = await makeCompany(world, { name: '{url} Fjordline' });
    const admin = await as(world, 'admin', { company });
    const invited = await admin.post('/users/invite', { company_id: company.id, email: EMAIL });
    expect(invited.data).toMatchObject({ is_mailed: true, url: null });
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]?.to).toEqual([EMAIL]);
    expect(mail.mails[0]?.text, 'IN11 a name with a placeholder in it stays a name').toContain('{url} Fjordline');
    const token = /#([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
    expect((await accept(world, { token, ...PERSON })).data).toMatchObject({ email: EMAIL, role: { name: 'read_only' } });
  });

  test('of fifty who accept at once one joins, and the link is dead then [SE6]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const token = tokenOf((await admin.post('/users/invite', { company_id: admin.user.company_id, email: EMAIL })).data.url);
    // Below the route, whose limit of calls from one address would let the first twenty in only.
    const origin = { ip: '127.0.0.1', requestId: 'test', userAgent: 'test' };
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => acceptInvitation(world.ctx, { token, ...PERSON }, origin)));
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(await world.ctx.db.selectFrom('users').select('id').where('email', '=', EMAIL).execute()).toHaveLength(1);
    expect(await accept(world, { token, ...PERSON })).toMatchObject({ status: 403, codes: ['INVITATION_REFUSED'] });
  });

  test('unknown, expired, replaced and no longer backed invitations get one and the same answer [SE6]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const inviteTo = async (email: string) => tokenOf((await admin.post('/users/invite', { company_id: middle.id, email })).data.url);
    const replaced = await inviteTo('one@example.org');
    await inviteTo('one@example.org');
    const unbacked = await inviteTo('two@example.org');
    const unknown = await accept(world, { token: 'nothing', ...PERSON });
    expect(unknown).toMatchObject({ status: 403, codes: ['INVITATION_REFUSED'] });
    expect((await accept(world, { token: replaced, ...PERSON })).text).toBe(unknown.text);
    await changeMember(world, admin.user, { role: 'read_only' });
    expect((await accept(world, { token: unbacked, ...PERSON })).text).toBe(unknown.text);
    await changeMember(world, admin.user, { role: 'admin' });
    expect((await look(world, unbacked)).status).toBe(200);
    await world.clock.jump(7 * DAY);
    expect((await look(world, unbacked)).text).toBe(unknown.text);
    expect((await accept(world, { token: unbacked, ...PERSON })).text).toBe(unknown.text);
  });

  test('each fault is reported at its field; an address that has a user is refused [F3]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const company_id = admin.user.company_id;
    const sources = async (body: object) =>
      [...new Set((await admin.post('/users/invite', body)).errors.map((error) => error.source))].sort();
    expect(await sources({})).toEqual(['company_id', 'email']);
    expect(await sources({ company_id, email: 'kari' })).toEqual(['email']);
    expect(await sources({ company_id, email: EMAIL, role: 'super_admin' })).toEqual(['role']);
    expect(await admin.post('/users/invite', { company_id, email: admin.user.email })).toMatchObject({
      status: 409,
      codes: ['EMAIL_TAKEN'],
      errors: [{ source: 'email' }],
    });
    const token = tokenOf((await admin.post('/users/invite', { company_id, email: EMAIL })).data.url);
    const short = await accept(world, { token, ...PERSON, password: 'short', first_name: '' });
    expect([...new Set(short.errors.map((error) => error.source))].sort()).toEqual(['first_name', 'password']);
  });

  test('a company out of sight is unknown, and only who makes users invites [AC2 AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    for (const company_id of [top.id, foreign.id, 987_654_321])
      expect(await admin.post('/users/invite', { company_id, email: EMAIL })).toMatchObject({
        status: 404,
        errors: [{ source: 'company_id' }],
      });
    for (const role of ['end_user', 'readonly_admin', 'read_only'] as const) {
      const caller = await as(world, role, { company: middle });
      expect((await caller.post('/users/invite', { company_id: middle.id, email: EMAIL })).status).toBe(403);
      expect((await caller.post('/distributors/invitations', { email: EMAIL })).status).toBe(403);
    }
  });
});

describe('inviting a new company', () => {
  test('the person who accepts names it and administers it, and it is below the inviter', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const token = tokenOf((await admin.post('/distributors/invitations', { email: EMAIL })).data.url);
    expect((await look(world, token)).data).toMatchObject({ company_name: 'Top', is_distributor: true });
    expect(await accept(world, { token, ...PERSON })).toMatchObject({ status: 400, errors: [{ source: 'company_name' }] });
    const joined = await accept(world, { token, ...PERSON, company_name: 'Nordlys' });
    expect(joined.data).toMatchObject({ company_name: 'Nordlys', role: { name: 'admin' }, company: { level: 2 } });
    expect((await admin.get(`/companies/${joined.data.company_id}`)).data.parent_id).toBe(top.id);
  });

  test('the name of a company that the new one does not see may be given again, and nothing tells of it [HF9]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const token = tokenOf((await admin.post('/distributors/invitations', { email: EMAIL })).data.url);
    expect(await accept(world, { token, ...PERSON, company_name: middle.name })).toMatchObject({
      status: 200,
      data: { company_name: middle.name },
    });
  });

  test('a company of the third level invites none', async () => {
    await using world = await makeWorld();
    const { bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: bottom });
    expect(await admin.post('/distributors/invitations', { email: EMAIL })).toMatchObject({ status: 409, codes: ['COMPANY_TOO_DEEP'] });
  });
});

describe('the suppression list', () => {
  test('an address that the mail server refuses for good gets no second mail until it is taken off', async () => {
    await using mail = await startMailServer({ refuse: /^kari@/ });
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const invite = () => admin.post('/users/invite', { company_id: middle.id, email: EMAIL });
    expect((await invite()).data).toMatchObject({ is_mailed: false, url: expect.stringContaining('#') });
    const kept = await world.ctx.db.selectFrom('suppressed_emails').selectAll().execute();
    expect(kept).toMatchObject([{ email: EMAIL, company_id: middle.id, reason: expect.stringContaining('550') }]);

    const stranger = await as(world, 'admin');
    expect(await stranger.delete('/suppressed-emails', { email: EMAIL })).toMatchObject({ status: 404, errors: [{ source: 'email' }] });
    expect((await stranger.delete(`/suppressed-emails/${EMAIL}`)).status).toBe(404);
    expect((await admin.delete('/suppressed-emails', { email: EMAIL.toUpperCase() })).status).toBe(200);
    expect((await admin.delete(`/suppressed-emails/${EMAIL}`)).status).toBe(404);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'suppressed-emails.remove', entity_name: EMAIL });
  });

  test('a mail server that is away suppresses nothing', async () => {
    await using world = await makeWorld({ config: { smtpUrl: 'smtp://127.0.0.1:1' } });
    const admin = await as(world, 'admin');
    expect((await admin.post('/users/invite', { company_id: admin.user.company_id, email: EMAIL })).data.is_mailed).toBe(false);
    expect(await world.ctx.db.selectFrom('suppressed_emails').selectAll().execute()).toEqual([]);
  });
});

describe('open invitations', () => {
  test('are listed with their state; sent again the old link is dead, withdrawn the new one too', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const first = await admin.post('/users/invite', { company_id: middle.id, email: EMAIL, role: 'end_user' });
    await world.ctx.db
      .insertInto('suppressed_emails')
      .values({ email: 'gone@example.org', company_id: middle.id, reason: '550 no such user', created_at: 0 })
      .execute();
    await admin.post('/users/invite', { company_id: middle.id, email: 'gone@example.org' });
    const list = await admin.get('/users/invitations', { sort: 'email' });
    expect(list).toMatchObject({
      meta: { total: 2 },
      data: [
        { email: 'gone@example.org', state: 'bounced', bounce_status: '550 no such user' },
        { email: EMAIL, state: 'open', role: 'end_user', company_name: 'Middle' },
      ],
    });
    const again = await admin.post(`/users/invitations/${first.data.id}/resend`, {});
    expect(again).toMatchObject({ status: 200, data: { email: EMAIL, is_mailed: false } });
    expect((await look(world, tokenOf(first.data.url))).codes).toEqual(['INVITATION_REFUSED']);
    expect((await look(world, tokenOf(again.data.url))).status).toBe(200);
    await world.clock.jump(7 * DAY);
    const later = await as(world, 'admin', { company: top });
    expect((await later.get('/users/invitations', { state: 'expired' })).data).toMatchObject([{ email: EMAIL }]);
    expect((await later.delete(`/users/invitations/${again.data.id}`)).status).toBe(200);
    expect((await later.get('/users/invitations', { q: 'kari' })).data).toEqual([]);
    expect((await later.get('/history')).data[0]).toMatchObject({ action: 'users.withdraw-invitation', entity_name: EMAIL });
  });
});
