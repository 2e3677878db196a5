import { expect, test } from 'vitest';
import type { Language } from '../../server/kernel/language.ts';
import { writeMail } from '../../server/kernel/mail/write-mail.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeTree } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const INVITATION = { subject: 'Welcome to {company}', text: 'Begin: {url}' };

/** The number of a company's text for a kind and language, from its list. */
async function numberOf(caller: Caller, company: { id: number }, type: string, language = 'en'): Promise<number> {
  const { data } = await caller.get('/email-templates', { company_id: company.id, type, language });
  return data[0].id;
}

const invitationFor = (
  world: World,
  company: { id: number },
  values: Partial<Record<'inviter' | 'company' | 'url', string>> = {},
  language: Language = 'en',
) =>
  writeMail(world.ctx, company.id, {
    to: 'kari@example.org',
    kind: 'invitation',
    language,
    values: { inviter: 'Ola', company: 'Fjordline', url: 'https://canopy.example/invitation#x', ...values },
  });

test('every mail that the product sends has a text in each language, to be changed by who holds the right', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const { data, meta } = await admin.get('/email-templates', { limit: 100, sort: 'type' });
  expect(meta['total']).toBe(13 * 4);
  expect(new Set(data.map(({ source, company_id }: { source: string; company_id: number }) => `${company_id} ${source}`))).toEqual(
    new Set([`${top.id} standard`]),
  );
  const backwards = (await admin.get('/email-templates', { limit: 1, sort: '-type' })).data;
  expect([data[0].type, data.at(-1)]).toEqual(['invitation', backwards[0]]);
  for (const { id, subject, text } of data)
    expect([id, (await admin.put(`/email-templates/${id}`, { subject, text })).codes]).toEqual([id, []]);
  expect((await admin.get('/email-templates', { limit: 100, source: 'own' })).meta['total']).toBe(13 * 4);
});

test('a company says mails in its own words, those below it use them, and the standard text comes back', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const standard = (await invitationFor(world, middle)).subject;
  await admin.put(`/email-templates/${await numberOf(admin, top, 'invitation')}`, { subject: 'From the top', text: '{url}' });
  const id = await numberOf(admin, middle, 'invitation');
  expect((await admin.get(`/email-templates/${id}`)).data).toMatchObject({
    source: 'inherited',
    subject: 'From the top',
    updated_at: null,
  });
  await admin.put(`/email-templates/${id}`, INVITATION);
  expect((await admin.get(`/email-templates/${id}`)).data).toMatchObject({ source: 'own', ...INVITATION, updated_at: expect.any(String) });
  const subjects = async () =>
    Promise.all([top, middle, bottom, foreign].map(async (company) => (await invitationFor(world, company)).subject));
  expect(await subjects()).toEqual(['From the top', 'Welcome to Fjordline', 'Welcome to Fjordline', standard]);
  expect((await invitationFor(world, bottom, {}, 'nb')).subject, 'another language has its own').toBe('Du er invitert til Canopy');
  expect((await admin.delete(`/email-templates/${id}`)).status).toBe(200);
  expect(await subjects()).toEqual(['From the top', 'From the top', 'From the top', standard]);
  expect((await admin.delete(`/email-templates/${id}`)).status, 'there is none any more').toBe(404);
  expect((await admin.get('/history')).data.slice(0, 2)).toMatchObject([
    { action: 'mail.reset-template', entity_name: 'invitation (en)', company_id: middle.id },
    { action: 'mail.edit-template', company_id: middle.id },
  ]);
});

test('an invitation arrives in the words of its company and the language of who invites', async () => {
  await using mail = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const { top, middle } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await admin.put(`/email-templates/${await numberOf(admin, top, 'invitation', 'nb')}`, {
    subject: 'Velkommen',
    text: 'Til {company}: {url}',
  });
  const invited = { email: 'kari@example.org', company_id: middle.id, role: 'read_only' };
  expect((await admin.post('/users/invite', invited, { 'accept-language': 'nb' })).status).toBe(201);
  expect(mail.mails[0]?.headers).toContain('Subject: Velkommen');
  expect(mail.mails[0]?.text).toMatch(/^Til Middle: http\S+\/invitation#\S+$/m);
});

test('what people are called makes no header, no place and no link in a mail [IN11]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  await admin.put(`/email-templates/${await numberOf(admin, company, 'invitation')}`, {
    subject: '{inviter} {company}',
    text: '{inviter} {company} {url}',
  });
  const mail = await invitationFor(world, company, { inviter: '{url}', company: 'A\r\nBcc: x@evil.example https://evil.example' });
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.text).not.toMatch(/[\r\n]|https:\/\/evil|evil\.example|x@evil/);
  expect(mail.text).toMatch(/^\{url\} A Bcc: /);
  expect(mail.text).toMatch(/ https:\/\/canopy\.example\/invitation#x$/);
});

test.each([
  ['invitation', { text: 'Come {here}: {url}' }, 'text', 'forms.mail.unknown_place'],
  ['invitation', { text: '{constructor} {url}' }, 'text', 'forms.mail.unknown_place'],
  ['invitation', { text: 'Come' }, 'text', 'forms.mail.missing_place'],
  ['invitation', { subject: 'Open {url}' }, 'subject', 'forms.mail.not_in_subject'],
  ['digest', { subject: '{lines}', text: '{lines}' }, 'subject', 'forms.mail.not_in_subject'],
  ['new-password', { text: '{url} or https://evil.example' }, 'text', 'forms.mail.no_addresses'],
  ['code', { text: '{code} for www.evil.example' }, 'text', 'forms.mail.no_addresses'],
])('a text for %s that is no good is refused at the field: %j', async (type, wrong, source, key) => {
  await using world = await makeWorld();
  const admin = await as(world, 'admin');
  const id = await numberOf(admin, { id: admin.user.company_id }, type);
  const { errors } = await admin.put(`/email-templates/${id}`, { ...INVITATION, subject: 'Welcome', ...wrong });
  expect(errors).toMatchObject([{ code: 'INVALID_FIELD', source, params: { key } }]);
});

test('a subject with a line break is refused [IN11]', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'admin');
  const id = await numberOf(admin, { id: admin.user.company_id }, 'invitation');
  expect((await admin.put(`/email-templates/${id}`, { subject: 'A\r\nBcc: x@y.example', text: '{url}' })).errors[0]?.source).toBe(
    'subject',
  );
});

test('the preview fills in the variables of the mail', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'admin');
  const id = await numberOf(admin, { id: admin.user.company_id }, 'invitation', 'ja');
  const { data } = await admin.post(`/email-templates/${id}/preview`, INVITATION);
  expect(data).toMatchObject({ subject: 'Welcome to 北風ネット', text: expect.stringMatching(/^Begin: http/) });
  expect(data.variables.map(({ name, is_required }: { name: string; is_required: boolean }) => [name, is_required])).toEqual([
    ['inviter', false],
    ['company', false],
    ['url', true],
  ]);
});

test('texts of companies outside the tree are as if they had never been; guests see none [AC2]', async () => {
  await using world = await makeWorld();
  const { top, middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const stranger = await as(world, 'admin', { company: foreign });
  const id = await numberOf(admin, middle, 'invitation');
  await admin.put(`/email-templates/${id}`, INVITATION);
  const unknown = await stranger.put('/email-templates/987654321011', INVITATION);
  expect((await stranger.put(`/email-templates/${id}`, INVITATION)).text).toBe(unknown.text);
  expect((await stranger.delete(`/email-templates/${id}`)).text).toBe(unknown.text);
  expect((await stranger.post(`/email-templates/${id}/preview`, INVITATION)).text).toBe(unknown.text);
  expect((await stranger.get('/email-templates', { company_id: middle.id })).data).toEqual([]);
  expect((await (await as(world, 'read_only', { company: middle })).get('/email-templates')).status).toBe(403);
});
