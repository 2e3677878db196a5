import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, PHONE, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const TITLE = 'Device offline';
const [FLEET, ON_SITE] = [24, 14];
const BEHIND = ON_SITE - 1;
const REMIND_MINUTES = 15;

let mail: MailServer;
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let browser: Browser;
let person: Caller;
let fleet: Fleet | undefined;
let router: { id: number; name: string };

type Device = { id: number; name: string; status: number };

/** Sessions end as time passes: each look is one of a new session. */
const admin = () => as(world, 'admin', { company });
const devicesNow = async (): Promise<Device[]> => (await (await admin()).get('/devices', { limit: 100 })).data;
const openAlerts = async () => (await (await admin()).get('/alerts', { state: 'open', limit: 100 })).data;
const mailsOf = (): string[] => mail.mails.filter(({ to }) => to.includes(person.user.email)).map(({ text }) => text);

beforeAll(async () => {
  mail = await startMailServer();
  world = await makeConsoleWorld({ broker: true, config: { smtpUrl: mail.url } });
  company = await makeCompany(world, { name: 'Fjordline' });
  person = await admin();
  await person.post('/notifications/rules', { in_console: [], alert_mail: 'critical', remind_minutes: REMIND_MINUTES });
  const actions = [{ name: 'RaiseAlert', options: { severity: 'critical' } }];
  const conditions_body = [{ type: 'if', expression: [{ parameter: 'status', operator: '==', value: 'offline' }], actions }];
  await person.post('/automations', { name: TITLE, company_id: company.id, cooldown_duration: 0, conditions_body });
  const { code } = await makeEnrolmentCode(world, { company, uses: FLEET });
  fleet = await startFleet({ url: world.url, code, devices: FLEET, moods: 'good', seed: 'storm' });
  await until('all are online', async () => (await devicesNow()).filter(({ status }) => status === 1).length === FLEET);
  const onSite = (await devicesNow()).toSorted((a, b) => a.id - b.id).slice(0, ON_SITE);
  router = onSite[0] ?? { id: 0, name: '' };
  const { data: site } = await person.post('/sites', { company_id: company.id, name: 'Quay', router_id: router.id });
  await person.put('/devices/site', { device_id: onSite.map(({ id }) => id), site_id: site.id });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await fleet?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function passMinutes(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await world.clock.advance(1 * MINUTE);
}

const groupIn = (page: Page) => page.getByRole('list', { name: t('automations.groups') }).getByRole('button', { name: new RegExp(TITLE) });

/** Ticks the page of the list and opens the dialog of a bulk action. */
async function withAll(page: Page, action: string): Promise<void> {
  await page.getByRole('checkbox', { name: t('table.selectPage'), exact: true }).check();
  await page
    .getByRole('region', { name: t('table.bulk') })
    .getByRole('button', { name: new RegExp(`^${t(action)}`) })
    .click();
}

test('a fleet that is cut off is one incident with its number, what is behind the router of its site is silenced, and one mail says so', async () => {
  await fleet?.[Symbol.asyncDispose]();
  fleet = undefined;
  await until('every device has its alert', async () => (await openAlerts()).length === FLEET);
  await passMinutes(4);
  expect(mailsOf()).toHaveLength(1);
  expect(mailsOf()[0]).toContain(`Critical · ${TITLE} · Fjordline · ${FLEET - BEHIND}: `);

  await using watched = await openAs(browser, world, await admin(), 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/alerts`);
  await groupIn(page).filter({ hasText: `${FLEET}` }).filter({ hasText: t('automations.groups.silenced_other').replace('{count}', String(BEHIND)) }).waitFor(); // prettier-ignore
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.goto(`${world.url}/management/alerts?is_silenced=true`);
  await expect.poll(() => page.getByRole('row').filter({ hasText: router.name }).count()).toBe(BEHIND);
  await page.goto(`${world.url}/management/alerts?is_silenced=false`);
  await groupIn(page)
    .filter({ hasText: `${FLEET - BEHIND}` })
    .click();
  await page.waitForURL(/[?&]name=/);
  await expect.poll(() => page.getByRole('row').filter({ hasText: TITLE }).count()).toBe(FLEET - BEHIND);
  await page.setViewportSize(PHONE);
  await page.getByRole('row').filter({ hasText: router.name }).getByText(t('values.alert.state.open'), { exact: true }).waitFor();
  expect(watched.faults()).toEqual([]);
});

test('acknowledged together, the storm reminds nobody any more', async () => {
  await passMinutes(REMIND_MINUTES + 5);
  expect(mailsOf().at(-1)).toContain('still open');
  await using watched = await openAs(browser, world, await admin(), 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/alerts?state=open&is_silenced=false`);
  await groupIn(page).waitFor();
  await withAll(page, 'actions.alerts.acknowledge-many');
  const dialog = page.getByRole('dialog', { name: t('forms.alerts.acknowledge-many.title') });
  await dialog.getByRole('button', { name: t('forms.alerts.acknowledge.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until('they are acknowledged', async () => (await openAlerts()).length === BEHIND);
  const before = mailsOf().length;
  await passMinutes(4 * REMIND_MINUTES);
  expect(mailsOf()).toHaveLength(before);
  expect(watched.faults()).toEqual([]);
});

test('what is behind the router can be snoozed by the router that is named as its cause', async () => {
  await using watched = await openAs(browser, world, await admin(), 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/alerts?state=open&cause_device_id=${router.id}`);
  await expect.poll(() => page.getByRole('row').filter({ hasText: router.name }).count()).toBe(BEHIND);
  await withAll(page, 'actions.alerts.snooze-many');
  const dialog = page.getByRole('dialog', { name: t('forms.alerts.snooze-many.title') });
  await dialog.getByRole('button', { name: t('forms.alerts.snooze.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until('they are snoozed', async () => (await openAlerts()).every((one: { snoozed_until: string | null }) => one.snoozed_until));
  const before = mailsOf().length;
  await world.clock.jump(1 * HOUR);
  await passMinutes(2 * REMIND_MINUTES);
  expect(mailsOf()).toHaveLength(before);
  expect(watched.faults()).toEqual([]);
});
