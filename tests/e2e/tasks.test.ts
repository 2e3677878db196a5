import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { chooseOption, findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
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
  // A list has one task at least, so the first is drawn.
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

test('a list with a variable runs on every device of a tag, each with what was entered, and on no other', async () => {
  const tag = await makeTag(world, { company, name: 'quay' });
  const tagged = await Promise.all([1, 2, 3].map((place) => makeDevice(world, { company, status: 1, name: `quay ${place}`, tags: [tag] })));
  await makeDevice(world, { company, status: 1, name: 'inland' });
  const task = { name: 'Note', type: 'command', timeout: 30, stop_on_failure: true, data: { command: 'logger "{{place}}"' } };
  const group = { company_id: company.id, name: 'Write a note', variables: [{ name: 'place', type: 'text' }], tasks: [task] };
  expect((await admin.post('/devices/tasks/groups', group)).errors).toEqual([]);
  const before = world.commands.length;
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/tag/${tag.id}`);
  await page.getByRole('link', { name: t('tags.devices_other', { count: '3' }), exact: true }).click();
  await page.getByRole('link', { name: 'quay 3' }).waitFor();
  await page.getByRole('checkbox', { name: t('table.selectPage') }).check();
  const bar = page.getByRole('region', { name: t('table.bulk') });
  await bar.getByRole('button', { name: t('table.moreActions') }).click();
  await page.getByRole('menuitem', { name: t('actions.devices.execute-tasks'), exact: true }).click();
  const run = page.getByRole('dialog').last();
  await run.getByRole('combobox', { name: t('fields.task_group') }).click();
  await page.getByRole('option', { name: /Write a note/ }).click();
  await run.getByRole('textbox', { name: 'place' }).fill('Bergen');
  await run.getByRole('button', { name: t('jobs.preview'), exact: true }).click();
  await run.getByRole('button', { name: t('jobs.start.execute_tasks_group_other', { count: '3' }) }).click();
  await until('every device of the tag is given its command', async () => world.commands.length === before + 3);
  const sent = world.commands.slice(before);
  expect(sent.map(({ deviceKey }) => deviceKey).toSorted()).toEqual(tagged.map(({ device_key }) => device_key).toSorted());
  for (const { command } of sent) expect(command.body).toBe(`canopy_place='Bergen'\nlogger "\${canopy_place}"`);
  for (const [place, one] of tagged.entries()) await answer(world, one, place === 2 ? { state: 'failed', message: 'no room left' } : {});
  await run.getByText('no room left').first().waitFor();
  const logs: { device_id: number; status: string }[] = (await admin.get('/devices/tasks/groups/logs', { limit: 100 })).data;
  const ofTag = tagged.map(({ id }) => logs.find(({ device_id }) => device_id === id)?.status);
  expect(ofTag).toEqual(['completed', 'completed', 'failed']);
});
