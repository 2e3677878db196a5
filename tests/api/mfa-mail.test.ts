import { describe, expect, test } from 'vitest';
import { as, send } from '../helpers/as.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { proofOf } from '../helpers/second-factor.ts';
import { makeWorld } from '../helpers/world.ts';

const TOKEN = { name: 'Nightly export', scopes: ['view_devices'], expires_in_days: 90 };

describe('the code by mail', () => {
  test('reaches the address, in the language of the page, and passes once [F6]', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const caller = await as(world, 'admin');
    const norwegian = { 'accept-language': 'nb-NO,nb;q=0.9' };
    expect((await caller.put('/mfa', { method: 'email' }, norwegian)).data).toEqual({ method: 'email' });
    const codeIn = (index: number): string => /\b\d{6}\b/.exec(mail.mails[index]?.text ?? '')?.[0] ?? '';
    expect(mail.mails[0]).toMatchObject({ to: [caller.user.email], from: 'canopy@127.0.0.1' });
    expect(mail.mails[0]?.text).toContain('Koden din er');
    expect((await caller.post('/mfa', { code: codeIn(0) })).status).toBe(200);

    const asked = await caller.post('/account/access-tokens', TOKEN);
    expect(asked).toMatchObject({ codes: ['MFA_REQUIRED'], meta: { mfa_method: 'email', mfa_type: 'email' } });
    expect(
      await send(world, 'POST', '/mfa/resend', {
        body: { session_id: asked.meta['session_id'], session_uuid: asked.meta['session_uuid'] },
      }),
    ).toMatchObject({ status: 200 });
    expect(mail.mails).toHaveLength(3);
    expect((await caller.post('/account/access-tokens', { ...TOKEN, ...proofOf(asked, codeIn(2)) })).status).toBe(201);
    expect((await caller.post('/account/access-tokens', { ...TOKEN, ...proofOf(asked, codeIn(2)) })).codes).toEqual(['MFA_REQUIRED']);
  });

  test('is sent again three times at most, and only to who holds the challenge [SE3]', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const caller = await as(world, 'admin');
    await caller.put('/mfa', { method: 'email' });
    await caller.post('/mfa', { code: /\b\d{6}\b/.exec(mail.mails[0]?.text ?? '')?.[0] });
    const asked = await caller.delete('/mfa', {});
    const resend = (body: object) => send(world, 'POST', '/mfa/resend', { body });
    const held = { session_id: asked.meta['session_id'], session_uuid: asked.meta['session_uuid'] };
    expect((await resend({ ...held, session_uuid: 'guess' })).status).toBe(404);
    expect([(await resend(held)).status, (await resend(held)).status, (await resend(held)).status]).toEqual([200, 200, 429]);
  });

  test('a line break in an address or a subject makes no header and no second recipient [IN11]', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const text = 'body';
    for (const to of ['a@example.org\r\nBcc: b@example.org', 'a@example.org, b@example.org', 'A <a@example.org>', '"a@x"@example.org', ''])
      await expect(world.ctx.mail?.send({ to, subject: 'x', text })).rejects.toThrow('exactly one address');
    await world.ctx.mail?.send({ to: 'a@example.org', subject: 'Hello\r\nBcc: b@example.org', text });
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]?.to).toEqual(['a@example.org']);
    expect(mail.mails[0]?.headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
  });
});
