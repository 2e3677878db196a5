import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { mailReports } from '../../server/features/reports/mail-reports.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld } from '../helpers/world.ts';

const nightly = { name: 'Nightly', type: 'periodic', period: 'day', applied_by: 'company', parameters: ['availability'] };

/** What `%PDF-` begins with in base64. */
const PDF = 'JVBERi';

test('a periodic report goes to its addresses as PDF when it is made, once, also past a mail server that is away', async () => {
  await using mail = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  await makeDevice(world, { company, status: 1 });
  const mailed = { mail_to: ['ops@example.org', 'boss@example.org'], mail_language: 'nb' };
  const { data } = await admin.post('/reports', { ...nightly, time: '06:00', timezone: 'UTC', ...mailed });
  expect((await admin.get(`/reports/${data.id}`)).data).toMatchObject(mailed);
  const untilMade = async (): Promise<void> => {
    const { next_at } = await world.ctx.db.selectFrom('reports').select('next_at').where('id', '=', data.id).executeTakeFirstOrThrow();
    await world.clock.jump((next_at ?? 0) + MINUTE - world.clock.now());
    await world.ctx.jobs.settled();
    for (let minute = 0; minute < 3; minute += 1) await world.clock.jump(1 * MINUTE);
  };
  await untilMade();
  expect(mail.mails.map(({ to }) => to[0]).toSorted()).toEqual(['boss@example.org', 'ops@example.org']);
  for (const { text } of mail.mails) {
    expect(text).toContain('Rapporten');
    expect(text).toContain('application/pdf');
    expect(text).toContain(PDF);
  }
  mail.isDown = true;
  await untilMade();
  for (let hour = 0; hour < 10; hour += 1) await world.clock.jump(1 * HOUR);
  expect(mail.mails).toHaveLength(2);
  mail.isDown = false;
  for (let hour = 0; hour < 2; hour += 1) await world.clock.jump(1 * HOUR);
  expect(mail.mails).toHaveLength(4);
  expect(mail.mails[3]?.text).toContain(PDF);
});

test('a report that cannot be written is mailed a minute later, and one whose author is gone has no next time', async () => {
  await using mail = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: mail.url } });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  await makeDevice(world, { company, status: 1 });
  const { data } = await admin.post('/reports', { ...nightly, mail_to: ['ops@example.org'] });
  expect((await admin.get(`/reports/${data.id}`)).data.next_at).toEqual(expect.any(String));
  await admin.post(`/reports/${data.id}/generate`);
  await world.ctx.jobs.settled();
  const broken = { draw: () => Promise.reject(new Error('too much memory')), [Symbol.asyncDispose]: () => Promise.resolve() };
  await mailReports(world.ctx, broken);
  for (let minute = 0; minute < 3; minute += 1) await world.clock.jump(1 * MINUTE);
  expect(mail.mails).toHaveLength(1);
  await world.ctx.db.updateTable('reports').set({ created_by: null }).where('id', '=', data.id).execute();
  expect((await admin.get(`/reports/${data.id}`)).data.next_at).toBeNull();
});

test('a report says how many alerts devices had and what people changed, to those alone who may read the history', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  await admin.put(`/devices/${device.id}`, { name: 'Renamed' });
  const alert = {
    device_id: device.id,
    company_id: company.id,
    automation_id: null,
    branch: '0',
    name: 'Hot',
    severity: 'info',
    message: '',
  } as const;
  const never = { ended_at: null, acknowledged_at: null, acknowledged_by: null, snoozed_until: null, cause_device_id: null, told_at: 0 };
  await world.ctx.db
    .insertInto('alerts')
    .values({ ...alert, ...never, raised_at: world.clock.now() })
    .execute();
  await world.clock.jump(1 * DAY);
  const make = async (caller: typeof admin) => {
    const { data } = await caller.post('/reports', {
      name: 'Audit',
      type: 'single',
      period: 'day',
      applied_by: 'company',
      parameters: ['alerts', 'audit'],
    });
    await caller.post(`/reports/${data.id}/generate`, {});
    await world.ctx.jobs.settled();
    const [{ id }] = (await caller.get('/reports/generated', { report_template_id: String(data.id) })).data;
    return (await caller.get(`/reports/generated/${id}`)).data;
  };
  const report = await make(await as(world, 'admin', { company }));
  expect(report).toMatchObject({ all: { alerts: 1 }, devices: [{ alerts: 1 }] });
  expect(report.audit_stats).toContainEqual({ action: 'devices.edit', count: 1, people: 1 });
  const reader = await as(world, 'end_user', { company });
  await world.ctx.db.deleteFrom('role_permissions').where('permission', '=', 'view_history').execute();
  expect((await make(reader)).audit_stats).toEqual([]);
});
