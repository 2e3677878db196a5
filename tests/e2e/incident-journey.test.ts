import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const MACHINE = 'Machine on the quay';
const TITLE = 'Quay is cut off';
const REMIND_MINUTES = 15;
const SIMULATED = 2;

let mail: MailServer;
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let browser: Browser;
let admin: Caller;
let person: Caller;
let agent: AgentProcess | undefined;
let fleet: Fleet | undefined;
let code: string;
let ruleId: number;

beforeAll(async () => {
  mail = await startMailServer();
  world = await makeConsoleWorld({ broker: true, config: { smtpUrl: mail.url } });
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  person = await as(world, 'admin', { company });
  await person.post('/notifications/rules', { in_console: [], alert_mail: 'critical', remind_minutes: REMIND_MINUTES });
  ({ code } = await makeEnrolmentCode(world, { company, uses: SIMULATED + 1 }));
  agent = await startAgent({ url: world.url, code, name: MACHINE });
  await until('the machine is online', async () => (await onlineCount()) === 1);
  const incident = { name: 'OpenIncident', options: { severity: 'critical', title: TITLE } };
  const conditions_body = [{ type: 'if', expression: [{ parameter: 'status', operator: '==', value: 'offline' }], actions: [incident] }];
  const { data } = await admin.post('/automations', { name: 'Cut off', company_id: company.id, cooldown_duration: 0, conditions_body });
  ruleId = data.id;
  browser = await launchBrowser();
});

// Time passes in a test: the session of the one before is over.
beforeEach(async () => {
  admin = await as(world, 'admin', { company });
});

afterAll(async () => {
  await browser?.close();
  await fleet?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function onlineCount(): Promise<number> {
  return (await admin.get('/devices')).data.filter((one: { status: number }) => one.status === 1).length;
}

/** The mails of alerts that the person has got. */
const mailsOf = (): string[] => mail.mails.filter(({ to }) => to.includes(person.user.email)).map(({ text }) => text);
const openAlerts = async () => (await (await as(world, 'admin', { company })).get('/alerts', { state: 'open' })).data;

async function passMinutes(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await world.clock.advance(1 * MINUTE);
}

async function openList(page: Page): Promise<void> {
  await page.goto(`${world.url}/management/alerts`);
  await page.getByRole('heading', { name: t('resources.alerts.title'), exact: true }).waitFor();
}

/** Acknowledges the alert of a device by the menu of its row. */
async function acknowledge(page: Page, device: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: device });
  await row.getByRole('button', { name: t('table.rowActions', { name: TITLE }), exact: true }).click();
  await page.getByRole('menuitem', { name: t('actions.alerts.acknowledge'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('forms.alerts.acknowledge.title') });
  await dialog.getByRole('button', { name: t('forms.alerts.acknowledge.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a machine whose agent dies is an incident: one mail, reminders, and silence once somebody has acknowledged it, with the reason in the log', async () => {
  await agent?.[Symbol.asyncDispose]();
  agent = undefined;
  await until('the machine is offline', async () => (await onlineCount()) === 0);
  await until('the incident is open', async () => (await openAlerts()).length === 1);
  await passMinutes(3);
  expect(mailsOf()).toHaveLength(1);
  expect(mailsOf()[0]).toContain(`Critical · ${TITLE} · Fjordline · 1: ${MACHINE}`);
  await passMinutes(REMIND_MINUTES + 2);
  expect(mailsOf()).toHaveLength(2);
  expect(mailsOf()[1]).toContain('still open');

  admin = await as(world, 'admin', { company });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await openList(page);
  await page.getByRole('row').filter({ hasText: MACHINE }).getByText(TITLE, { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await acknowledge(page, MACHINE);
  await page.getByRole('row').filter({ hasText: MACHINE }).getByText(t('values.alert.state.acknowledged'), { exact: true }).waitFor();
  await page.goto(`${world.url}/management/automations/${ruleId}/logs`);
  await page.getByText(/Status is offline/).first().waitFor(); // prettier-ignore
  expect(watched.faults()).toEqual([]);

  await passMinutes(3 * REMIND_MINUTES);
  expect(mailsOf()).toHaveLength(2);
});

test('incidents of simulated devices are snoozed together, and nobody is reminded of them until the time is over', async () => {
  fleet = await startFleet({ url: world.url, code, devices: SIMULATED, moods: 'good', seed: 'incident' });
  await until('both are online', async () => (await onlineCount()) === SIMULATED);
  await fleet[Symbol.asyncDispose]();
  fleet = undefined;
  await until('both are incidents', async () => (await openAlerts()).length === SIMULATED);
  await passMinutes(8);
  const before = mailsOf().length;
  expect(mailsOf().at(-1)).toContain(`${TITLE} · Fjordline · 2: `);

  admin = await as(world, 'admin', { company });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await openList(page);
  await page.getByRole('checkbox', { name: t('table.selectPage'), exact: true }).check();
  await page
    .getByRole('region', { name: t('table.bulk') })
    .getByRole('button', { name: new RegExp(`^${t('actions.alerts.snooze-many')}`) })
    .click();
  const dialog = page.getByRole('dialog', { name: t('forms.alerts.snooze-many.title') });
  await dialog.getByRole('button', { name: t('forms.alerts.snooze.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until('both are snoozed', async () =>
    (await openAlerts()).every((one: { snoozed_until: string | null }) => one.snoozed_until !== null),
  );
  expect(watched.faults()).toEqual([]);
  await passMinutes(3 * REMIND_MINUTES);
  expect(mailsOf()).toHaveLength(before);
  await world.clock.jump(8 * HOUR);
  await passMinutes(REMIND_MINUTES + 5);
  expect(mailsOf().length).toBeGreaterThan(before);
  expect(mailsOf().at(-1)).toContain('still open');
});
