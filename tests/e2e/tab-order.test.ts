import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTag } from '../helpers/factories.ts';
import { answer, startJob } from '../helpers/jobs.ts';
import { openConsole, type OpenConsole } from './console-world.ts';
import { faultsOfRound, goRoundByTab } from './tab-order.ts';

let open: OpenConsole;
let page: Page;
let jobId: unknown;

beforeAll(async () => {
  open = await openConsole({}, async (world, company) => {
    const devices = [];
    for (const name of ['alfa', 'bravo', 'charlie']) devices.push(await makeDevice(world, { company, name }));
    await makeTag(world, { company, name: 'delta' });
    const admin = await as(world, 'admin', { company });
    const body = { action: 'reboot', device_id: devices.map(({ id }) => id) };
    jobId = (await startJob(world, admin, '/devices/actions', body)).meta['job_id'];
    for (const device of devices)
      await answer(world, device, { state: 'failed', code: 1, message: 'refused', output: 'sh: reboot: not found' });
  });
  ({ page } = open);
});

afterAll(() => open?.[Symbol.asyncDispose]());

const dialog = (): Locator => page.locator('[role=dialog], [role=alertdialog]').last();
const settled = (): Promise<void> => page.waitForLoadState('networkidle');

async function openJob(): Promise<void> {
  await page.goto(`${open.world.url}/jobs/${String(jobId)}`);
  await dialog().getByRole('listitem').filter({ hasText: 'charlie' }).waitFor();
  await settled();
}
async function openNewTag(): Promise<void> {
  await page.goto(`${open.world.url}/tags`);
  await page.getByRole('button', { name: 'New tag' }).first().click();
  await dialog().getByLabel('Name').waitFor();
  await settled();
}

test('the window of a job goes round by Tab and back: its controls, filters, rows, output, retry and Close', async () => {
  await openJob();
  await dialog().getByRole('button', { name: 'Show output of bravo' }).click();
  const round = await goRoundByTab(page);
  expect(faultsOfRound(round)).toEqual([]);
  for (const name of [/Minimise/, /Full screen/, /failed/i, /Select bravo/, /Show output/, /Retry/, /Close/])
    expect(round.names.join('\n')).toMatch(name);
});

test('a window in full screen goes round by Tab and back', async () => {
  await openJob();
  await dialog().getByRole('button', { name: 'Full screen' }).click();
  await dialog().getByRole('button', { name: 'Leave full screen' }).waitFor();
  expect(faultsOfRound(await goRoundByTab(page))).toEqual([]);
});

test('a form, with the tray beside it, goes round by Tab and back', async () => {
  await openNewTag();
  expect(faultsOfRound(await goRoundByTab(page))).toEqual([]);
  await dialog().getByRole('button', { name: 'Minimise' }).click();
  await page.getByRole('button', { name: 'Actions: delta' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog().getByLabel('Name').waitFor();
  await settled();
  const round = await goRoundByTab(page);
  expect(faultsOfRound(round)).toEqual([]);
  expect(round.names.join('\n')).toContain('New tag');
});

test('a question over a form, and the form below it after, go round by Tab and back', async () => {
  await openNewTag();
  await dialog().getByLabel('Name').fill('echo');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor();
  expect(faultsOfRound(await goRoundByTab(page))).toEqual([]);
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(faultsOfRound(await goRoundByTab(page))).toEqual([]);
});
