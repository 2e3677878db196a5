import { afterAll, beforeAll, expect, test } from 'vitest';
import { EsimChip } from '../../agent/fleet/esim.ts';
import { makeRandom } from '../../agent/fleet/random.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
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
  device = await makeDevice(world, { company, status: 1, name: 'ferry', model: 'RUTM50', firmware: 'RUTM_R_00.07.14.2' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('the profiles of a device are read, and the other one is used', async () => {
  const chip = new EsimChip(makeRandom('chip'), 'Telia');
  let answered = 0;
  const answerNext = async () => {
    await until('a command', () => world.commands.length > answered);
    const { output = null, ...result } = chip.answer(world.commands[answered]?.command.body ?? '');
    answered += 1;
    await answer(world, device, { state: result.state === 'ok' ? 'ok' : 'failed', message: result.message ?? null, output });
  };
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/devices/${device.id}/esim`);
  await page.getByText(t('esim.never')).waitFor();
  await page.getByRole('button', { name: t('esim.read'), exact: true }).click();
  await answerNext();
  await page.keyboard.press('Escape');
  const rows = page.getByRole('table', { name: t('esim.title') }).getByRole('row');
  const other = rows.filter({ hasText: 'Harbour Mobile' });
  await other.getByText(t('values.esim_profile.state.disabled')).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await other.getByRole('button', { name: t('esim.enable'), exact: true }).click();
  const use = page.getByRole('dialog', { name: t('forms.esim.enable.title') });
  await use.getByRole('button', { name: t('forms.esim.enable.submit'), exact: true }).click();
  await answerNext();
  await other.getByText(t('values.esim_profile.state.enabled')).waitFor();
  await rows.filter({ hasText: 'Telia' }).getByText(t('values.esim_profile.state.disabled')).waitFor();
  expect(watched.faults()).toEqual([]);
});
