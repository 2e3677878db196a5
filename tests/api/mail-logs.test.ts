import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { sendMail } from '../../server/kernel/mail/send-mail.ts';
import { openMailer } from '../../server/edges/smtp/open-mailer.ts';
import { as, send } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

const mailTo = (to: string, kind: 'invitation' | 'code' = 'invitation') => ({
  to,
  kind,
  subject: `About ${to}`,
  text: 'the code is 123456',
});

test('keeps what became of each mail for those who see the company, and never its text', async () => {
  await using mail = await startMailServer({ refuse: /gone/ });
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const { top, middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  for (const to of ['kari@example.org', 'gone@example.org', 'gone@example.org']) await sendMail(world.ctx, middle.id, mailTo(to));
  const { data, text } = await admin.get('/system/mail-logs', { sort: 'created_at' });
  expect(data).toMatchObject([
    { to: 'kari@example.org', subject: 'About kari@example.org', status: 'sent', error: null, company_name: 'Middle' },
    { to: 'gone@example.org', status: 'bounced', error: expect.any(String) },
    { to: 'gone@example.org', status: 'suppressed' },
  ]);
  expect(text).not.toContain('123456');
  expect((await admin.get('/system/mail-logs', { status: 'bounced' })).meta['total']).toBe(1);
  expect((await admin.get('/system/mail-logs', { to: 'KARI' })).meta['total']).toBe(1);
  expect((await (await as(world, 'admin', { company: foreign })).get('/system/mail-logs')).data).toEqual([]);
  expect((await (await as(world, 'read_only', { company: middle })).get('/system/mail-logs')).status).toBe(403);
  await world.clock.jump(91 * DAY);
  expect(await world.ctx.db.selectFrom('mail_log').select('id').execute()).toEqual([]);
});

test('a mail that the server cannot take is tried again with growing pauses, then given up; its text is sealed as long as it waits', async () => {
  await using world = await makeWorld({ config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  const system = await as(world, 'super_admin');
  expect(await sendMail(world.ctx, system.user.company_id, mailTo('kari@example.org'))).toBe('waiting');
  expect(await sendMail(world.ctx, system.user.company_id, mailTo('ola@example.org', 'code')), 'a code is worth nothing later').toBe(
    'failed',
  );
  const row = () => world.ctx.db.selectFrom('mail_log').selectAll().where('email', '=', 'kari@example.org').executeTakeFirstOrThrow();
  expect((await row()).sealed_text).toEqual(expect.not.stringContaining('123456'));
  const tries: number[] = [];
  for (const minutes of [1, 5, 15]) {
    await world.clock.advance(minutes * MINUTE);
    tries.push((await row()).tries);
  }
  expect(tries).toEqual([2, 3, 4]);
  expect(await row()).toMatchObject({ status: 'waiting' });
  await world.clock.jump(30 * MINUTE);
  expect(await row()).toMatchObject({ status: 'failed', tries: 5, next_try_at: null, sealed_text: null });
});

test('a mail that waits goes out once the server is back', async () => {
  await using world = await makeWorld({ config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  const system = await as(world, 'super_admin');
  await sendMail(world.ctx, system.user.company_id, mailTo('kari@example.org'));
  await using mail = await startMailServer();
  world.ctx.mail = openMailer(mail.url, { from: 'canopy@example.org' });
  await world.clock.advance(1 * MINUTE);
  expect(mail.mails).toMatchObject([{ to: ['kari@example.org'], text: expect.stringContaining('123456') }]);
  await world.clock.jump(10 * MINUTE);
  expect(mail.mails, 'once').toHaveLength(1);
  const later = await as(world, 'super_admin');
  expect((await later.get('/system/mail-logs')).data).toMatchObject([{ status: 'sent', tries: 2, next_try_at: null }]);
});

test('without a mail server mails lie in the mailbox of system administrators for seven days; reading one is audited', async () => {
  await using world = await makeWorld();
  const system = await as(world, 'super_admin');
  const admin = await as(world, 'admin');
  const asked = await send(world, 'POST', '/account/password/forgotten', {
    body: { email: admin.user.email },
    headers: { origin: world.ctx.publicUrl() },
  });
  expect(asked).toMatchObject({ status: 200, data: { is_kept: true } });
  await until('the mail is kept', async () => (await system.get('/system/mailbox')).meta['total'] === 1);
  const [kept] = (await system.get('/system/mailbox')).data;
  expect(kept).toMatchObject({ to: admin.user.email, expires_at: '2026-11-09 09:00:00' });
  expect(JSON.stringify(kept)).not.toContain('#');
  const { data } = await system.get(`/system/mailbox/${kept.id}`);
  const token = /\/new-password#([\w-]{43})/.exec(data.text)?.[1];
  expect((await system.get('/history', { limit: 1 })).data).toMatchObject([{ action: 'mailbox.read', entity_name: admin.user.email }]);
  for (const path of ['/system/mailbox', `/system/mailbox/${kept.id}`])
    expect(await admin.get(path)).toMatchObject({ status: 403, codes: ['FORBIDDEN'] });
  const stored = await world.ctx.db.selectFrom('mail_log').selectAll().execute();
  expect(JSON.stringify(stored) + world.log()).not.toContain(token);
  expect(
    (
      await send(world, 'POST', '/account/password/reset', {
        body: { token, password: 'another long phrase' },
        headers: { origin: world.ctx.publicUrl() },
      })
    ).codes,
    'the link works',
  ).toEqual([]);
  await world.clock.jump(7 * DAY + 2 * MINUTE);
  const later = await as(world, 'super_admin');
  expect((await later.get('/system/mailbox')).data).toEqual([]);
  expect(await world.ctx.db.selectFrom('mail_log').select('sealed_text').execute()).toEqual([{ sealed_text: null }]);
});

test('the test of the mail server says what it says, whether it takes the mail or not', async () => {
  await using mail = await startMailServer({ refuse: /^gone@/ });
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const system = await as(world, 'super_admin');
  expect((await system.post('/system/mail-test', { email: 'kari@example.org' })).data).toEqual({ is_sent: true, answer: '250 Kept' });
  expect(mail.mails).toHaveLength(1);
  expect((await system.post('/system/mail-test', { email: 'gone@example.org' })).data).toMatchObject({
    is_sent: false,
    answer: expect.stringContaining('550 5.1.1 No such person'),
  });
  await using bare = await makeWorld();
  expect((await (await as(bare, 'super_admin')).post('/system/mail-test', { email: 'kari@example.org' })).codes).toEqual([
    'MAIL_NOT_SET_UP',
  ]);
});

test('suppressed addresses are a list of the companies that the reader sees, and one is taken off by its number [AC8]', async () => {
  await using mail = await startMailServer({ refuse: /^gone@/ });
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const { top, middle, foreign } = await makeTree(world);
  const [admin, stranger] = [await as(world, 'admin', { company: top }), await as(world, 'admin', { company: foreign })];
  await sendMail(world.ctx, middle.id, mailTo('gone@example.org'));
  const { data } = await admin.get('/system/suppressed-emails');
  expect(data).toMatchObject([{ email: 'gone@example.org', company_name: 'Middle', reason: expect.stringContaining('550') }]);
  expect((await stranger.get('/system/suppressed-emails')).data).toEqual([]);
  const path = `/system/suppressed-emails/${data[0].id}`;
  expect((await stranger.delete(path, {})).text).toBe((await stranger.delete('/system/suppressed-emails/987654321', {})).text);
  expect((await admin.delete(path, {})).status).toBe(200);
  expect((await admin.get('/system/suppressed-emails')).data).toEqual([]);
});
