import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { webhookTo } from '../helpers/forms.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

/** A site with a router, a camera and a till, and rules that tell people in every way there is when a device is offline or hot. */
async function makeSite(mailUrl: string, hookUrl: string) {
  const options = webhookTo(hookUrl, true);
  const { world, say } = await makeReportingWorld({ ...options, config: { ...options.config, smtpUrl: mailUrl } });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  await admin.post('/notifications/rules', {
    in_console: ['deviceOffline', 'deviceOnline', 'deviceAlert', 'deviceAutomation'],
    alert_mail: 'info',
  });
  const alert = { name: 'RaiseAlert', options: { severity: 'warning' } };
  const ruleOf = (name: string, parameter: string, operator: string, value: string, actions: object[]) => ({
    ...{ name, cooldown_duration: 0, conditions_body: [{ type: 'if', expression: [{ parameter, operator, value }], actions }] },
  });
  const all = [
    alert,
    { name: 'SendNotification', options: { receiving_users: [admin.user.id], message: 'gone' } },
    { name: 'SendEmail', options: { receiving_emails: ['desk@example.org'], subject: 'Gone', message: '%rn' } },
    { name: 'Webhook', options: { url: 'tickets' } },
    { name: 'Reboot' },
  ];
  await admin.post('/automations', ruleOf('Offline', 'status', '==', 'offline', all));
  await admin.post('/automations', ruleOf('Hot', 'temperature', '>', '80', [alert]));
  const device = (name: string) => makeDevice(world, { company, name, status: 1, report_seconds: 60, status_changed_at: 0 });
  const [router, camera, till] = [await device('Router'), await device('Camera'), await device('Till')];
  const { data: site } = await admin.post('/sites', { company_id: company.id, name: 'Quay', router_id: router.id });
  await admin.put('/devices/site', { device_id: [router.id, camera.id, till.id], site_id: site.id });
  const goOffline = (one: Row<'devices'>) => say(one, 'status', { online: false });
  const comeBack = (one: Row<'devices'>) => say(one, 'status', { uptime: 60 });
  return { world, say, company, admin, router, camera, till, goOffline, comeBack };
}

type Site = Awaited<ReturnType<typeof makeSite>>;
type MailServer = Awaited<ReturnType<typeof startMailServer>>;
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Whom each way told of which devices, in the order of their names. */
async function told({ world, admin }: Site, mail: MailServer, receiver: Receiver) {
  const notices = await world.ctx.db
    .selectFrom('notifications')
    .select(['kind', 'subject_name'])
    .where('user_id', '=', admin.user.id)
    .execute();
  const ofType = (wanted: string) =>
    notices
      .filter(({ kind }) => kind === wanted)
      .map(({ subject_name: name }) => name)
      .toSorted();
  const textsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  const named = (texts: string[]) => ['Camera', 'Router', 'Till'].filter((name) => texts.some((text) => text.includes(name)));
  const jobs = await world.ctx.db
    .selectFrom('job_targets')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .select('devices.name')
    .execute();
  return {
    offline: ofType('deviceOffline'),
    alerts: ofType('deviceAlert'),
    messages: ofType('deviceAutomation'),
    alertMails: named(textsTo(admin.user.email)),
    mails: named(textsTo('desk@example.org')),
    hooks: receiver.taken.map(({ body }) => JSON.parse(body).device.name).toSorted(),
    jobs: jobs.map(({ name }) => name).toSorted(),
  };
}

const everyWay = (...names: string[]) => ({
  ...{ offline: names, alerts: names, messages: names, alertMails: names, mails: names, hooks: names, jobs: names },
});

const openAlerts = async ({ world, company }: Site) => {
  const { data } = await (await as(world, 'admin', { company })).get('/alerts', { state: 'open' });
  return data
    .map((one: { device_name: string; name: string; cause_device_name: string | null }) => [
      one.device_name,
      one.name,
      one.cause_device_name,
    ])
    .toSorted();
};

async function makePlace() {
  const mail = await startMailServer();
  const receiver = await startReceiver(Array.from({ length: 20 }, () => 200));
  const site = await makeSite(mail.url, receiver.url);
  return {
    ...site,
    told: () => told(site, mail, receiver),
    alerts: () => openAlerts(site),
    async [Symbol.asyncDispose]() {
      await site.world[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

const silenced = [
  ['Camera', 'Offline', 'Router'],
  ['Router', 'Offline', null],
  ['Till', 'Offline', 'Router'],
];

test.each(['the devices behind it', 'the router'])(
  'a router and the devices behind it that fall silent are one notice about the router in each way people are told, if %s are noticed first [CH3]',
  async (first) => {
    await using place = await makePlace();
    const { world, router, camera, till, goOffline, comeBack } = place;
    const order = first === 'the router' ? [router, camera, till] : [camera, till, router];
    for (const device of order) {
      await goOffline(device);
      await world.clock.advance(6 * SECOND);
    }
    await world.clock.advance(4 * MINUTE);
    expect(await place.alerts()).toEqual(silenced);
    expect(await place.told()).toEqual(everyWay('Router'));
    for (let minute = 0; minute < 8; minute += 1) {
      for (const device of [router, camera, till]) await comeBack(device);
      await world.clock.advance(1 * MINUTE);
    }
    expect(await place.alerts()).toEqual([]);
    expect(await place.told()).toEqual(everyWay('Router'));
  },
);

test('devices whose router is noticed a minute after them are told of only with the router, and alone when it speaks meanwhile [CH3]', async () => {
  await using place = await makePlace();
  const { world, router, camera, till, goOffline, comeBack } = place;
  await goOffline(camera);
  await world.clock.advance(70 * SECOND);
  expect((await place.told()).offline).toEqual([]);
  await comeBack(router);
  await world.clock.advance(20 * SECOND);
  expect(await place.told()).toMatchObject({ offline: ['Camera'], alerts: ['Camera'], messages: ['Camera'] });
  await goOffline(till);
  await world.clock.advance(70 * SECOND);
  await goOffline(router);
  await world.clock.advance(6 * MINUTE);
  expect(await place.told()).toEqual(everyWay('Camera', 'Router'));
});

test('another fault of a device behind a silent router is told of at once [CH3]', async () => {
  await using place = await makePlace();
  const { world, say, router, camera, goOffline } = place;
  await say(camera, 'status', { temperature: 900 });
  await goOffline(router);
  await world.clock.advance(1 * SECOND);
  await goOffline(camera);
  await world.clock.advance(5 * SECOND);
  expect((await place.told()).alerts).toEqual(['Camera', 'Router']);
  await world.clock.advance(4 * MINUTE);
  expect(await place.alerts()).toEqual([
    ['Camera', 'Hot', null],
    ['Camera', 'Offline', 'Router'],
    ['Router', 'Offline', null],
  ]);
  expect(await place.told()).toMatchObject({
    offline: ['Router'],
    alerts: ['Camera', 'Router'],
    alertMails: ['Camera', 'Router'],
    mails: ['Router'],
  });
});

test('a device that does not come back with its router is told of five minutes later in each way [CH3]', async () => {
  await using place = await makePlace();
  const { world, router, camera, till, goOffline, comeBack } = place;
  for (const device of [camera, router, till]) await goOffline(device);
  await world.clock.advance(4 * MINUTE);
  expect(await place.told()).toEqual(everyWay('Router'));
  for (let minute = 0; minute < 10; minute += 1) {
    for (const device of [router, till]) await comeBack(device);
    await world.clock.advance(1 * MINUTE);
    if (minute === 3) expect(await place.told()).toEqual(everyWay('Router'));
  }
  expect(await place.alerts()).toEqual([['Camera', 'Offline', null]]);
  expect(await place.told()).toEqual(everyWay('Camera', 'Router'));
});
