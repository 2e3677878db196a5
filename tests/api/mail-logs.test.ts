import { expect, test } from 'vitest';
import { DAY } from '../../server/kernel/clock.ts';
import { sendMail } from '../../server/kernel/mail/send-mail.ts';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld } from '../helpers/world.ts';

const mailTo = (to: string) => ({ to, subject: `About ${to}`, text: 'the code is 123456' });

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
