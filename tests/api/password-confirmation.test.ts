import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, asUser } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('the password again', () => {
  test('a call without a second factor asks for the password ten minutes after it was last typed [F6]', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    const caller = await asUser(world, user);
    expect((await caller.put('/mfa', { method: 'totp' })).status).toBe(200);
    await world.ctx.db
      .updateTable('sessions')
      .set({ password_confirmed_at: world.clock.now() - 10 * MINUTE })
      .execute();
    expect(await caller.put('/mfa', { method: 'totp' })).toMatchObject({ status: 423, codes: ['PASSWORD_REQUIRED'] });
    expect(await caller.post('/password-confirmation', { password: 'wrong' })).toMatchObject({
      status: 422,
      codes: ['WRONG_PASSWORD'],
      errors: [{ source: 'password' }],
    });
    expect((await caller.put('/mfa', { method: 'totp' })).status).toBe(423);
    expect((await caller.post('/password-confirmation', { password: PASSWORD })).status).toBe(200);
    expect((await caller.put('/mfa', { method: 'totp' })).status).toBe(200);
  });

  test('counts for the session that it was typed in, the call that asked, and ten minutes [SE5]', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    const [typed, other] = [await asUser(world, user), await asUser(world, user)];
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    await typed.post('/password-confirmation', { password: PASSWORD });
    expect((await typed.put('/mfa', { method: 'totp' })).status).toBe(423);
    expect((await other.put('/mfa', { method: 'totp' })).status).toBe(423);
    await typed.post('/password-confirmation', { password: PASSWORD });
    expect((await typed.put('/mfa', { method: 'totp' })).status).toBe(200);
    expect((await other.put('/mfa', { method: 'totp' })).status).toBe(423);
    expect((await typed.put('/account/email', { email: 'kari@new.example' })).status).toBe(423);
    expect((await typed.put('/mfa', { method: 'totp' })).status).toBe(200);
    await world.ctx.db
      .updateTable('sessions')
      .set({ call_confirmed_at: world.clock.now() - 10 * MINUTE })
      .execute();
    expect((await typed.put('/mfa', { method: 'totp' })).status).toBe(423);
  });

  test('what was typed for one call does not let the same call pass with other entries [SE5]', async () => {
    await using world = await makeWorld();
    const caller = await asUser(world, await makeUser(world));
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    expect((await caller.put('/account/email', { email: 'kari@new.example' })).status).toBe(423);
    await caller.post('/password-confirmation', { password: PASSWORD });
    expect((await caller.put('/account/email', { email: 'ola@new.example' })).status).toBe(423);
    expect((await caller.put('/account/email', { email: 'kari@new.example' })).status).toBe(200);
  });

  test('guessing it is stopped [SE3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    for (let round = 0; round < 8; round += 1) await caller.post('/password-confirmation', { password: `guess ${round}` });
    expect(await caller.post('/password-confirmation', { password: PASSWORD })).toMatchObject({
      status: 429,
      codes: ['TOO_MANY_REQUESTS'],
    });
    await world.clock.jump(5 * MINUTE);
    expect((await caller.post('/password-confirmation', { password: PASSWORD })).status).toBe(200);
  });
});
