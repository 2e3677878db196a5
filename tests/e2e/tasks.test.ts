import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { chooseOption, findAccessibilityFaults, launchBrowser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a list with a variable is made, run on a device, and its run is in the log', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/task-manager`);
  await page
    .getByRole('button', { name: t('actions.task-groups.new'), exact: true })
    .first()
    .click();
  const make = page.getByRole('dialog', { name: t('forms.task-groups.new.title') });
  await chooseOption(make.getByRole('combobox', { name: t('fields.company_id') }), 'Fjordline');
  await make
    .getByRole('textbox', { name: t('fields.name') })
    .first()
    .fill('Greet');
  const [variables, tasks] = [t('fields.variables'), t('fields.tasks')].map((name) => make.getByRole('group', { name, exact: true }));
  if (!variables || !tasks) throw new Error('two lists');
  await tasks.getByRole('button', { name: 'Add', exact: true }).click();
  await tasks.getByRole('textbox', { name: t('fields.name') }).fill('Say it');
  await tasks.getByRole('textbox', { name: t('fields.command') }).fill('echo {{note}}');
  await variables.getByRole('button', { name: 'Add', exact: true }).click();
  await variables.getByRole('textbox', { name: t('fields.name') }).fill('note');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await make.getByRole('button', { name: t('forms.task-groups.new.submit'), exact: true }).click();
  await make.waitFor({ state: 'detached' });
  await page.getByText('Greet').first().waitFor();

  await page.goto(`${world.url}/devices/${device.id}`);
  await page
    .getByRole('button', { name: t('table.moreActions') })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('actions.devices.execute-tasks'), exact: true }).click();
  const run = page.getByRole('dialog').last();
  await run.getByRole('combobox', { name: t('fields.task_group') }).click();
  await page.getByRole('option', { name: /Greet/ }).click();
  await run.getByRole('textbox', { name: 'note' }).fill("it's $(reboot)");
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await run.getByRole('button', { name: t('jobs.preview'), exact: true }).click();
  await run.getByRole('button', { name: t('jobs.start.execute_tasks_group_one', { count: '1' }) }).click();
  await until('the device is given its command', async () => world.commands.length > 0);
  expect(world.commands.at(-1)?.command.body).toBe(`canopy_note='it'\\''s $(reboot)'\necho "\${canopy_note}"`);
  await answer(world, device, { output: "it's $(reboot)" });
  await page.goto(`${world.url}/management/task-manager/runs`);
  await page.getByText(t('values.task_group_log.status.completed')).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});
