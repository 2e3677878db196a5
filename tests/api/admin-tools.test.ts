import { describe, expect, test } from 'vitest';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { makeTree, makeUser } from '../helpers/factories.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld } from '../helpers/world.ts';

const TOOLS = ['/admin/users', '/admin/users/mfa'] as const;

describe('administrator tools by e-mail address', () => {
  test('a user is deleted, signed out, and is in the history', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const victim = await as(world, 'end_user', { company: bottom });
    expect((await admin.delete('/admin/users', { email: victim.user.email.toUpperCase() })).status).toBe(200);
    expect((await victim.get('/user')).status).toBe(401);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'users.remove', entity_name: victim.user.username });
  });

  test('a second factor is taken away; then the password alone signs in', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const owner = await as(world, 'end_user', { company: bottom });
    expect(await admin.delete('/admin/users/mfa', { email: owner.user.email })).toMatchObject({
      status: 409,
      codes: ['MFA_NOT_ON'],
      errors: [{ source: 'email' }],
    });
    await turnTotpOn(world, owner);
    expect((await admin.delete('/admin/users/mfa', { email: owner.user.email })).status).toBe(200);
    expect((await owner.get('/mfa')).data).toMatchObject({ method: null, recovery_codes_left: 0 });
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'users.remove-mfa', entity_name: owner.user.username });
  });

  test('both ask for the second factor of who calls, else for the password [F6]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const caller = await as(world, 'admin', { company: top });
    const victim = await makeUser(world, { company: top, role: 'read_only' });
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    for (const path of TOOLS)
      expect(await caller.delete(path, { email: victim.email })).toMatchObject({ status: 423, codes: ['PASSWORD_REQUIRED'] });
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: world.clock.now() }).execute();
    const { secret } = await turnTotpOn(world, caller);
    for (const path of TOOLS)
      expect(await caller.delete(path, { email: victim.email })).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'] });
    const asked = await caller.delete('/admin/users', { email: victim.email });
    expect((await caller.delete('/admin/users', { email: victim.email, ...proofOf(asked, codeOf(world, secret)) })).status).toBe(200);
  });

  test('an address of another tree, of the company above, folded or with a plus is as unknown as none [AC8]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const caller = await as(world, 'admin', { company: middle });
    await makeUser(world, { company: middle, role: 'read_only', email: 'kari@example.org' });
    const above = await makeUser(world, { company: top, role: 'read_only' });
    const stranger = await makeUser(world, { company: foreign, role: 'read_only' });
    for (const path of TOOLS) {
      const unknown = await caller.delete(path, { email: 'nobody@example.org' });
      expect(unknown).toMatchObject({ status: 404, errors: [{ source: 'email' }] });
      for (const email of [above.email, stranger.email, 'kari+x@example.org', 'kari@example.org.'.slice(0, -1).replace('kari', 'k.ari')])
        expect([email, (await caller.delete(path, { email })).text]).toEqual([email, unknown.text]);
      // U+212A, whose lower case is a plain k.
      expect((await caller.delete(path, { email: '\u212Aari@example.org' })).status).toBe(400);
    }
    expect(await world.ctx.db.selectFrom('users').select('id').where('email', '=', 'kari@example.org').execute()).toHaveLength(1);
  });

  test('nobody uses them on themselves, on somebody with more rights, or without the permission [AC5]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const root = await as(world, 'super_admin', { company: top });
    const outcome = async (caller: Caller, path: string, email: string) => (await caller.delete(path, { email })).codes[0];
    for (const path of TOOLS) {
      expect(await outcome(admin, path, admin.user.email)).toBe('OWN_ACCOUNT');
      expect(await outcome(admin, path, root.user.email)).toBe('FORBIDDEN');
      for (const role of ['end_user', 'readonly_admin', 'read_only'] as const)
        expect(await outcome(await asUser(world, await makeUser(world, { role, company: top })), path, admin.user.email)).toBe('FORBIDDEN');
    }
  });

  test('what is no address is refused at the field [F3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    for (const path of TOOLS) {
      for (const email of ['', 'kari', 'a@b\r\nBcc: c@d', undefined]) {
        const answer = await caller.delete(path, { email });
        expect([answer.status, ...new Set(answer.errors.map((error) => error.source))]).toEqual([400, 'email']);
      }
    }
  });
});
