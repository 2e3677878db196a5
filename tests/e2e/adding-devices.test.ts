import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode, makeTag } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { chooseOption, findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const channel = recordingChannel();
let world: World;
let browser: Browser;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeConsoleWorld({ parts: { devices: async () => channel } });
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const macOf = (index: number): string => `00:1E:42:00:00:${index.toString(16).padStart(2, '0').toUpperCase()}`;

/** 60 devices, of which four are wrong: a MAC, a serial number, a repeated one, a series. */
function sheet(): string {
  const lines = Array.from({ length: 60 }, (_none, index) => [`20000${index}`, macOf(index), `Quay ${index}`, '']);
  lines[3] = ['200003', '00:1E', 'Quay 3', ''];
  lines[17] = ['2000 17', macOf(17), 'Quay 17', ''];
  lines[30] = ['200002', macOf(30), 'Quay 30', ''];
  lines[59] = ['2000059', macOf(59), 'Quay 59', 'box'];
  return ['serial,mac,name,series', ...lines.map((line) => line.join())].join('\n');
}

/** Opens the list of devices and the window that adds some. */
async function openAdding(page: Page): Promise<Locator> {
  await page.goto(`${world.url}/management/devices`);
  await page
    .getByRole('button', { name: t('actions.devices.add'), exact: true })
    .first()
    .click();
  return page.getByRole('dialog').last();
}

test('sixty devices come from a file, the four wrong ones are corrected in place, and one that joins gets its firmware and its tag [O2 O3]', async () => {
  const tag = await makeTag(world, { company, name: 'ferry' });
  await upload(world, admin, company, 'an image', 'RUTX_R_00.07.15_WEBUI.bin', 'firmware');
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/devices`);
  await page
    .getByRole('button', { name: t('table.moreActions'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('actions.devices.import'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('forms.devices.import.title') });
  await chooseOption(dialog.getByRole('combobox', { name: t('fields.company_id') }), 'Fjordline');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet()) });
  await dialog.getByRole('combobox', { name: t('fields.firmware_file_id') }).click();
  await page.getByRole('option', { name: /RUTX_R_00\.07\.15/ }).click();
  await dialog.getByRole('combobox', { name: t('fields.tags') }).click();
  await page.getByRole('option', { name: /ferry/ }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: t('forms.devices.import.submit'), exact: true }).click();

  await dialog.getByText(t('devices.new.right_other', { count: '56' })).waitFor();
  const cell = (field: string, line: number) =>
    dialog.getByRole('textbox', { name: t('devices.new.cell', { field: t(`fields.${field}`), line: String(line) }) });
  await dialog.getByText(t('devices.new.mac'), { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await cell('mac', 4).fill(macOf(3));
  await cell('serial', 18).fill('2000017');
  await cell('serial', 31).fill('2000030');
  await dialog.getByRole('button', { name: t('devices.new.check'), exact: true }).click();
  await dialog.getByText(t('devices.new.right_other', { count: '59' })).waitFor();
  await cell('device_series', 60).fill('rut');
  await dialog.getByRole('button', { name: t('devices.new.check'), exact: true }).click();
  await dialog.getByRole('button', { name: t('devices.new.add_other', { count: '60' }), exact: true }).click();
  await dialog.getByText(t('devices.new.next')).waitFor();
  await dialog.getByRole('button', { name: t('devices.enrolment.done'), exact: true }).click();
  await page.getByText('Quay 0', { exact: true }).waitFor();
  const { meta } = await admin.get('/devices', { status: 'not_activated', limit: 1 });
  expect(meta['total']).toBe(60);

  const { code } = await makeEnrolmentCode(world, { company });
  const identity = { serial: '200003', mac: macOf(3), model: 'RUTX50', firmware: 'RUTX_R_00.07.14' };
  const { data } = await send(world, 'POST', '/enrol', { body: { code, ...identity } });
  const deviceKey = data.device_key;
  await channel.handlers?.deliver([{ kind: 'message', message: { deviceKey, topic: 'hello', payload: { v: 1, ...identity } } }]);
  await until('it is given its firmware', async () => {
    await world.clock.advance(5000);
    return channel.commands.some((sent) => sent.deviceKey === deviceKey && sent.command.verb === 'firmware');
  });
  const [device] = (await admin.get('/devices', { q: '200003' })).data;
  expect(device).toMatchObject({ name: 'Quay 3', status: 1, tags: [{ id: tag.id }] });
  await page.goto(`${world.url}/devices/${device.id}/jobs`);
  await page.getByText(t('values.job.kind.first_contact')).first().waitFor();
});

test('one window offers every way to add devices, and goes from one to the other without losing what was entered', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const dialog = await openAdding(page);
  const way = (form: string) => dialog.getByText(t(`forms.devices.${form}.way`), { exact: true });
  await chooseOption(dialog.getByRole('combobox', { name: t('fields.company_id') }), 'Fjordline');
  await way('add-ahead').click();
  const serial = dialog.getByRole('textbox', { name: t('fields.serial') });
  await serial.fill('4711000001');
  await dialog.getByTitle('Fjordline', { exact: true }).waitFor();
  await way('import').click();
  await dialog.locator('input[type=file]').waitFor({ state: 'attached' });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await way('add-ahead').click();
  await expect.poll(() => serial.inputValue()).toBe('4711000001');
  await dialog.getByRole('button', { name: t('dialogs.cancel'), exact: true }).press('Enter');
  await page.getByRole('alertdialog').getByText(t('form.unsaved.title')).waitFor();
});

test('the custom fields of the chosen company are filled in with a new device, and corrected in the lines of a file', async () => {
  const fields = [
    { name: 'asset', title: 'Asset number', type: 'text', required: true },
    { name: 'weight', title: 'Weight', type: 'number' },
  ];
  const fleet = await makeCompany(world, { name: 'Havneby', parent: company });
  expect((await admin.put(`/companies/${fleet.id}/custom-fields`, { fields })).status).toBe(200);
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const dialog = await openAdding(page);
  const asset = dialog.getByRole('textbox', { name: /Asset number/ });
  await dialog.getByText(t('forms.devices.add-ahead.way'), { exact: true }).click();
  await dialog.getByRole('textbox', { name: t('fields.serial') }).fill('4712000001');
  await dialog.getByRole('textbox', { name: t('fields.mac') }).fill(macOf(101));
  expect(await asset.count()).toBe(0);
  const chooseCompany = async () => {
    await dialog.getByRole('combobox', { name: t('fields.company_id') }).click();
    await page.getByRole('option', { name: /Havneby/ }).click();
  };
  await chooseCompany();
  await asset.fill('A-1');
  expect(await dialog.getByRole('textbox', { name: t('fields.serial') }).inputValue()).toBe('4712000001');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('forms.devices.add-ahead.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await admin.get('/devices', { q: '4712000001' })).data[0].custom).toEqual({ asset: 'A-1' });

  await page
    .getByRole('button', { name: t('table.moreActions'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('actions.devices.import'), exact: true }).click();
  await chooseCompany();
  const file = `serial,mac,asset number,weight\n4712000002,${macOf(102)},007,heavy\n4712000003,${macOf(103)},,"2,5"\n`;
  await dialog.locator('input[type=file]').setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await asset.waitFor();
  await dialog.getByRole('button', { name: t('forms.devices.import.submit'), exact: true }).click();
  const cell = (field: string, line: number) => dialog.getByRole('textbox', { name: t('devices.new.cell', { field, line: String(line) }) });
  await cell('Weight', 1).fill('12');
  await cell('Asset number', 2).fill('A-3');
  await dialog.getByRole('button', { name: t('devices.new.check'), exact: true }).click();
  await dialog.getByRole('button', { name: t('devices.new.add_other', { count: '2' }), exact: true }).click();
  await dialog.getByText(t('devices.new.next')).waitFor();
  const { data } = await admin.get('/devices', { q: '471200000', sort: 'serial' });
  expect(data.map(({ custom }: { custom: object }) => custom)).toEqual([
    { asset: 'A-1' },
    { asset: '007', weight: 12 },
    { asset: 'A-3', weight: 2.5 },
  ]);
});
