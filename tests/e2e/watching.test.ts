import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { DAY, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { readPdf } from '../helpers/pdf-text.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const MACHINE = 'Machine on the quay';
const SIMULATED = 3;

let mail: MailServer;
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let browser: Browser;
let admin: Caller;
let agent: AgentProcess;
let fleet: Fleet;
let tank: string;
let machineId: number;

beforeAll(async () => {
  mail = await startMailServer();
  world = await makeConsoleWorld({ broker: true, config: { smtpUrl: mail.url } });
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company, uses: SIMULATED + 1 });
  agent = await startAgent({ url: world.url, code, name: MACHINE });
  tank = join(agent.root, 'tank');
  await writeFile(tank, 'level: 42\n');
  agent.allow(`file ${tank}`);
  fleet = await startFleet({ url: world.url, code, devices: SIMULATED, moods: 'good', seed: 'watching' });
  await until(
    'all are online',
    async () => (await admin.get('/devices')).data.filter((one: { status: number }) => one.status === 1).length === SIMULATED + 1,
  );
  machineId = (await admin.get('/devices', { q: MACHINE })).data[0].id;
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

const choose = async (part: Locator, name: string, option: string): Promise<void> => {
  await part.getByRole('combobox', { name, exact: true }).click();
  await part.page().keyboard.type(option);
  await part.page().keyboard.press('Enter');
};

/** A new automation of one condition that raises an alert, turned off. */
async function addRule(page: Page, name: string, [parameter, operator, value]: [string, string, string]): Promise<number> {
  await page.goto(`${world.url}/management/automations`);
  await page.getByRole('button', { name: t('actions.automations.new'), exact: true }).first().click(); // prettier-ignore
  const dialog = page.getByRole('dialog', { name: t('forms.automations.new.title') });
  await dialog.getByRole('textbox', { name: t('fields.name') }).first().fill(name); // prettier-ignore
  const rule = dialog.getByRole('group', { name: t('fields.conditions_body') });
  await choose(rule, t('fields.parameter'), parameter);
  await choose(rule, t('fields.operator_of'), operator);
  await rule.getByRole('textbox', { name: t('fields.value') }).fill(value);
  await dialog.getByRole('checkbox', { name: t('fields.enabled') }).or(dialog.getByRole('switch', { name: t('fields.enabled') })).uncheck(); // prettier-ignore
  await dialog.getByRole('button', { name: t('forms.automations.new.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name, exact: true }).click();
  await page.waitForURL('**/rule');
  return Number(/automations\/(\d+)/.exec(page.url())?.[1]);
}

/** The mails that this address has, each with what came along, decoded. */
const pdfsTo = (address: string): Buffer[] =>
  mail.mails
    .filter(({ to }) => to.includes(address))
    .flatMap(({ text }) =>
      [...text.matchAll(/application\/pdf[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g)].map(([, body = '']) => Buffer.from(body, 'base64')),
    );

const openAlerts = async (): Promise<number> => (await admin.get('/alerts', { state: 'open' })).data.length;

test('a live answer of a real machine becomes a variable, a chart and a condition of an automation', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/monitoring-templates/create`);
  await page.getByRole('textbox', { name: t('fields.name'), exact: true }).first().fill('Tank'); // prettier-ignore
  await page.getByRole('button', { name: t('forms.monitoring-templates.new.submit'), exact: true }).click();
  await page.getByRole('combobox', { name: t('monitoring.try.device') }).click();
  await page.getByRole('option', { name: new RegExp(MACHINE) }).click();
  await page.getByRole('combobox', { name: t('fields.source_url') }).fill(`/file${tank}`);
  await page.getByRole('button', { name: t('monitoring.try.run'), exact: true }).click();
  await page.getByRole('button', { name: t('monitoring.try.use_path', { path: '$.fields.level' }) }).click();
  const edit = page.getByRole('dialog', { name: t('forms.monitoring-templates.edit.title') });
  await edit.getByRole('button', { name: t('forms.monitoring-templates.edit.submit'), exact: true }).click();
  await edit.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('actions.monitoring-templates.assign'), exact: true }).click();
  const assign = page.getByRole('dialog', { name: t('forms.monitoring-templates.assign.title') });
  await assign.getByRole('combobox', { name: t('fields.devices') }).click();
  await page.getByRole('option', { name: new RegExp(MACHINE) }).click();
  await page.keyboard.press('Escape');
  await assign.getByRole('button', { name: t('forms.monitoring-templates.assign.submit'), exact: true }).click();
  await assign.waitFor({ state: 'detached' });
  const collected = async () =>
    (await admin.get(`/devices/${machineId}/metrics`)).data.some((one: { name: string }) => one.name.endsWith('_level'));
  await until('the first value is here', collected);
  // The server's clock is the test's; a chart of the last day is that of the browser's.
  await world.clock.jump(MINUTE);
  await page.clock.setFixedTime(world.clock.now());
  await page.goto(`${world.url}/devices/${machineId}/metrics/dynamic`);
  await page.getByRole('figure', { name: 'Tank: level' }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await addRule(page, 'Tank is empty', ['Tank: level', t('values.automation.operator.lt'), '10']);
  await page.getByRole('button', { name: t('automations.test.run'), exact: true }).click();
  await page.getByText(/It would have acted 0 times/).waitFor();
  await page.getByRole('button', { name: t('actions.automations.enable'), exact: true }).click();
  await page.getByText(t('automations.on'), { exact: true }).waitFor();
  expect(watched.faults()).toEqual([]);
});

test('a rule tried on the past of simulated devices finds there what it finds once it is on, and its log says why', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const before = await openAlerts();
  const id = await addRule(page, 'Reachable', ['Signal', t('values.automation.operator.lt'), '-10']);
  await page.getByRole('button', { name: t('automations.test.run'), exact: true }).click();

  await page.getByText(/It would have acted 3 times/).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  expect(await openAlerts()).toBe(before);
  await page.getByRole('button', { name: t('actions.automations.enable'), exact: true }).click();
  await page.getByText(t('automations.on'), { exact: true }).waitFor();

  // What is wrong already is found without a further report.
  await world.clock.advance(3 * SECOND);
  await until('each device has its alert', async () => (await openAlerts()) === before + SIMULATED);

  await page.goto(`${world.url}/management/automations/${id}/logs`);
  await expect.poll(() => page.getByText(/Signal is less than -10/).count()).toBe(SIMULATED);
  await page.getByText(/^\(was -\d+\)$/).first().waitFor(); // prettier-ignore
  expect(watched.faults()).toEqual([]);
});

test('a report on a plan comes by mail with a PDF whose pages say what the console says', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/reports/periodic/day`);
  await page.getByRole('button', { name: t('actions.daily-reports.new'), exact: true }).first().click(); // prettier-ignore
  const dialog = page.getByRole('dialog', { name: t('forms.reports.new.title') });
  await dialog.getByRole('textbox', { name: t('fields.name') }).first().fill('Quay each day'); // prettier-ignore
  // The list of daily reports makes daily ones.
  for (const kind of ['type.periodic', 'period.day'])
    expect(await dialog.getByRole('radio', { name: t(`values.report.${kind}`), exact: true }).isChecked()).toBe(true);
  const to = dialog.getByRole('textbox', { name: t('fields.mail_to') });
  await to.fill('harbour@example.org');
  await to.press('Enter');
  await dialog.getByRole('button', { name: t('forms.reports.new.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Quay each day' }).or(page.getByText('Quay each day')).first().waitFor(); // prettier-ignore

  await world.clock.jump(DAY);
  await world.ctx.jobs.settled();
  for (let minute = 0; minute < 3; minute += 1) await world.clock.jump(MINUTE);
  await until('the mail is here', () => pdfsTo('harbour@example.org').length === 1);
  const [pdf = Buffer.alloc(0)] = pdfsTo('harbour@example.org');
  const { text, pages } = readPdf(pdf);
  const words = text.replaceAll('\n', ' ');
  expect(words).toContain('Quay each day');
  expect(words).toContain(MACHINE);
  expect(pages).toBeGreaterThan(0);
  await page.goto(`${world.url}/reports/generated`);
  await page.getByRole('link', { name: /^Quay each day/ }).click();
  await page.getByRole('link', { name: MACHINE, exact: true }).waitFor();
  expect(watched.faults()).toEqual([]);
});
