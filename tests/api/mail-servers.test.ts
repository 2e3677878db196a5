import { expect, test } from 'vitest';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import { sendMail } from '../../server/kernel/mail/send-mail.ts';
import { as } from '../helpers/as.ts';
import { makeRole, makeTree } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld } from '../helpers/world.ts';

const serverAt = (url: string, company: { id: number }) => ({
  company_id: company.id,
  name: 'Fjordline',
  email: 'post@fjordline.example',
  host: '127.0.0.1',
  port: Number(new URL(url).port),
  security: 'none',
});
const mailTo = (to: string, kind: 'invitation' | 'new-password' = 'invitation') => ({ to, kind, subject: 'Welcome', text: 'Hello' });

test('mails of a company go by its own server, else by the nearest above it, else by the one of the installation', async () => {
  await using own = await startMailServer();
  await using general = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: general.url, mailServersPrivate: true } });
  const { top, middle, bottom, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  expect((await admin.post('/email-configurations', { ...serverAt(own.url, middle), name: 'Fjordline Post' })).status).toBe(201);
  await sendMail(world.ctx, middle.id, mailTo('middle@example.org'));
  await sendMail(world.ctx, bottom.id, mailTo('bottom@example.org'));
  for (const company of [top, foreign]) await sendMail(world.ctx, company.id, mailTo('other@example.org'));
  expect(own.mails).toMatchObject([
    { from: 'post@fjordline.example', to: ['middle@example.org'] },
    { from: 'post@fjordline.example', to: ['bottom@example.org'] },
  ]);
  expect(own.mails[0]?.headers).toContain('From: Fjordline Post <post@fjordline.example>');
  expect(general.mails).toHaveLength(2);
});

test('a link that lets its reader into an account never goes by the mail server of a company', async () => {
  await using own = await startMailServer();
  await using general = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: general.url, mailServersPrivate: true } });
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await admin.post('/email-configurations', { ...serverAt(own.url, top) });
  await sendMail(world.ctx, top.id, mailTo('kari@example.org', 'new-password'));
  expect([own.mails.length, general.mails.length]).toEqual([0, 1]);
});

test('the password of a mail server is in no answer, history or log, and another server needs it again [OP1]', async () => {
  await using world = await makeWorld({ config: { logLevel: 'trace' } });
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const server = {
    name: 'Fjordline',
    email: 'post@fjordline.example',
    host: 'smtp.fjordline.com',
    port: 587,
    security: 'starttls',
    username: 'post',
  };
  const { data } = await admin.post('/email-configurations', { ...server, company_id: top.id, password: 'sesame opens' });
  const path = `/email-configurations/${data.id}`;
  expect(await admin.put(path, { ...server, name: 'Fjordline AS' })).toMatchObject({ status: 200 });
  expect((await admin.put(path, { ...server, host: 'evil.example.com' })).errors).toMatchObject([
    { code: 'INVALID_FIELD', source: 'password' },
  ]);
  expect((await admin.get(path)).data).toMatchObject({ name: 'Fjordline AS', host: 'smtp.fjordline.com' });
  const stored = await world.ctx.db.selectFrom('email_configurations').selectAll().execute();
  const audit = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'email_configuration').execute();
  expect(audit).toHaveLength(2);
  const seen = [await admin.get(path), await admin.get('/email-configurations'), await admin.get('/history')].map((answer) => answer.text);
  expect(JSON.stringify([stored, audit, seen]) + world.log()).not.toContain('sesame');
  expect(seen.join('')).not.toContain(stored[0]?.sealed_password);
});

test('mail servers are added to companies that the caller sees; guests see none', async () => {
  await using world = await makeWorld({ config: { mailServersPrivate: true } });
  const { middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: middle });
  const server = { ...serverAt('smtp://127.0.0.1:25', middle) };
  const { data } = await admin.post('/email-configurations', server);
  expect((await admin.post('/email-configurations', { ...server, company_id: foreign.id })).errors).toMatchObject([
    { code: 'NOT_FOUND', source: 'company_id' },
  ]);
  const stranger = await as(world, 'admin', { company: foreign });
  const unknown = await stranger.delete('/email-configurations/987654321');
  expect((await stranger.delete(`/email-configurations/${data.id}`)).text).toBe(unknown.text);
  expect((await (await as(world, 'read_only', { company: middle })).get('/email-configurations')).status).toBe(403);
  expect((await admin.delete(`/email-configurations/${data.id}`)).status).toBe(200);
  expect((await admin.get('/email-configurations')).data).toEqual([]);
});

test('the test sends by the server of the company and shows no more than the code of its answer', async () => {
  await using mail = await startMailServer({ refuse: /^gone@/ });
  await using world = await makeWorld({ config: { mailServersPrivate: true } });
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const { data } = await admin.post('/email-configurations', { ...serverAt(mail.url, top) });
  const ask = (email: string) => admin.post(`/email-configurations/${data.id}/test`, { email });
  expect((await ask('kari@example.org')).data).toEqual({ is_sent: true, answer: '250' });
  expect((await ask('gone@example.org')).data).toEqual({ is_sent: false, answer: 'EENVELOPE 550' });
  expect(mail.mails).toMatchObject([{ from: 'post@fjordline.example', to: ['kari@example.org'] }]);
  expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'mail.test', entity_name: 'gone@example.org' });
});

test('unless the installation allows it, no mail server in a private network and no other port is called [IN8]', async () => {
  await using mail = await startMailServer();
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const server = { ...serverAt(mail.url, top) };
  expect((await admin.post('/email-configurations', server)).errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'port' }]);
  const { data } = await admin.post('/email-configurations', { ...server, port: 25 });
  expect((await admin.post(`/email-configurations/${data.id}/test`, { email: 'kari@example.org' })).data).toEqual({
    is_sent: false,
    answer: 'closed-address',
  });
  expect(mail.mails).toEqual([]);
});

test('a sender or host with line breaks is refused [IN11]', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const server = { ...serverAt('smtp://127.0.0.1:25', top) };
  for (const wrong of [{ name: 'A\r\nBcc: x@y.example' }, { email: 'a@b.example\r\nBcc: x@y.example' }, { host: 'a\r\nQUIT' }])
    expect([wrong, (await admin.post('/email-configurations', { ...server, ...wrong })).errors[0]?.source]).toEqual([
      wrong,
      Object.keys(wrong)[0],
    ]);
});

test('the permission to edit companies is not enough to choose the mail server that carries invitations', async () => {
  await using world = await makeWorld({ config: { mailServersPrivate: true } });
  const { top } = await makeTree(world);
  const server = serverAt('smtp://127.0.0.1:25', top);
  const holderOf = async (permissions: PermissionName[]) =>
    as(world, await makeRole(world, { company: top, permissions }), { company: top });
  const editor = await holderOf(['view_companies', 'update_companies']);
  expect((await editor.post('/email-configurations', server)).status).toBe(403);
  const reader = await holderOf(['view_email_configurations']);
  expect((await reader.post('/email-configurations', server)).status).toBe(403);
  expect((await reader.get('/email-configurations')).status).toBe(200);
  const holder = await holderOf(['view_email_configurations', 'update_email_configurations']);
  expect((await holder.post('/email-configurations', server)).status).toBe(201);
});

test('a company has several mail servers: the default one carries what names no other, the log names it, and another takes its turn', async () => {
  await using first = await startMailServer();
  await using second = await startMailServer();
  await using world = await makeWorld({ config: { mailServersPrivate: true } });
  const { top, bottom, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const add = async (url: string, name: string) => (await admin.post('/email-configurations', { ...serverAt(url, top), name })).data;
  const [one, two] = [await add(first.url, 'One'), await add(second.url, 'Two')];
  expect([one.is_default, two.is_default]).toEqual([true, false]);
  await sendMail(world.ctx, bottom.id, mailTo('a@example.org'));
  await sendMail(world.ctx, bottom.id, mailTo('b@example.org'), two.id);
  // A server of another tree is no choice.
  await sendMail(world.ctx, foreign.id, mailTo('c@example.org'), two.id);
  expect([first.mails, second.mails].map((mails) => mails.flatMap(({ to }) => to))).toEqual([['a@example.org'], ['b@example.org']]);
  const logged = (await admin.get('/system/mail-logs')).data as { to: string; server: string | null }[];
  expect(Object.fromEntries(logged.map(({ to, server }) => [to, server]))).toEqual({
    'a@example.org': '127.0.0.1',
    'b@example.org': '127.0.0.1',
  });
  const { name, email, host, port, security } = two;
  await admin.put(`/email-configurations/${two.id}`, { name, email, host, port, security, is_default: true });
  const defaults = async () =>
    ((await admin.get('/email-configurations')).data as { id: number; is_default: boolean }[])
      .filter((row) => row.is_default)
      .map(({ id }) => id);
  expect(await defaults()).toEqual([two.id]);
  await sendMail(world.ctx, top.id, mailTo('d@example.org'));
  expect(second.mails).toHaveLength(2);
  await admin.delete(`/email-configurations/${two.id}`);
  expect(await defaults()).toEqual([one.id]);
});
