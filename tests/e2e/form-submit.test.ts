import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_DOCUMENT } from '../helpers/api-document.ts';
import { makeRole, makeTag, makeUser, PASSWORD } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import type { WatchedPage } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let world: World;
let watched: WatchedPage;
let page: Page;
let tagId: number;
let leaver: string;

beforeAll(async () => {
  place = await openConsole({}, async (world, company) => {
    tagId = (await makeTag(world, { company, name: 'alfa' })).id;
    await makeTag(world, { company, name: 'bravo' });
    leaver = (await makeUser(world, { role: 'read_only', company })).email;
    await makeRole(world, { company, title: 'Night shift', permissions: ['view_devices'] });
  });
  ({ world, watched, page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await page.goto(`${world.url}/tags`);
  await page.getByRole('row').filter({ hasText: 'bravo' }).waitFor();
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: join(tmpdir(), `canopy-${task.name.slice(0, 20).replaceAll(/\W+/g, '-')}.png`) });
});

const dialog = (): Locator => page.getByRole('dialog').last();
const toast = (words: string): Locator => page.getByRole('region', { name: 'Messages' }).getByText(words);
async function editTag(name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog().getByLabel('Name').waitFor();
}

describe('a form in a browser', () => {
  it('as a page is filled from its record, shows a refusal at its field until that is edited, and goes back once it is taken [F3]', async () => {
    await page.goto(`${world.url}/forms/tags/edit/${tagId}`);
    const name = page.getByLabel('Name');
    await expect.poll(() => name.inputValue()).toBe('alfa');
    await name.fill('bravo');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“bravo” already exists in this company.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await name.fill('alfa 2');
    expect(await page.getByText('exists already').count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`${world.url}/tags`);
    await page.getByRole('row').filter({ hasText: 'alfa 2' }).waitFor();
  });

  it('sends once, however often one clicks [F2]', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().includes('/api/tags/')) sent.push(request.url());
    });
    await editTag('bravo');
    await dialog().getByLabel('Description').fill('Ferries');
    await dialog().getByRole('button', { name: 'Save' }).dblclick();
    await toast('Tag saved').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('with a file refuses one of another kind before it is sent, and sends the right one [F9]', async () => {
    await page.goto(`${world.url}/forms/devices/api-description`);
    const chooser = page.locator('input[type=file]');
    await chooser.setInputFiles({ name: 'api.txt', mimeType: 'text/plain', buffer: Buffer.from('{}') });
    await page.getByText('.json').filter({ hasText: /file/i }).first().waitFor();
    await page.getByRole('button', { name: 'Upload' }).click();
    expect(await page.getByText('api.txt').count()).toBeGreaterThan(0);
    await chooser.setInputFiles({ name: 'api.json', mimeType: 'application/json', buffer: Buffer.from(API_DOCUMENT) });
    await page.getByText('api.json').waitFor();
    await page.getByRole('button', { name: 'Upload' }).click();
    await toast('Description uploaded').waitFor();
    await page.getByText('No section of settings became a form').waitFor();
  });

  it('asks for the password above itself when it was typed long ago; a wrong one says so, the right one sends the same again [F6]', async () => {
    await page.goto(`${world.url}/forms/users/remove-by-email`);
    await page.getByLabel('E-mail').fill(leaver);
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    await page.getByRole('button', { name: 'Remove user' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm your password' });
    await question.locator('input').fill('not this one');
    await page.keyboard.press('Enter');
    await question.getByText('The password is wrong.').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(leaver);
    await question.locator('input').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await toast('User removed').waitFor();
  });
});

describe('windows and messages in a browser', () => {
  it('what is in the tray and opened again takes its own place [D2]', async () => {
    await editTag('bravo');
    await dialog().getByRole('button', { name: 'Minimise' }).click();
    await page.getByRole('toolbar', { name: 'Minimised windows' }).waitFor();
    await editTag('bravo');
    await page.getByRole('toolbar', { name: 'Minimised windows' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('a question that was turned off is not asked, until it is turned on in the settings [D4]', async () => {
    const overwrite = async (): Promise<void> => {
      await page.goto(`${world.url}/forms/roles/overwrite`);
      await page.getByRole('combobox', { name: 'Roles' }).click();
      await page.getByRole('option', { name: 'Night shift' }).click();
      await page.getByRole('checkbox', { name: 'View files', exact: true }).check();
      await page.getByRole('button', { name: 'Overwrite' }).click();
    };
    const question = page.getByRole('alertdialog').filter({ hasText: 'Give all selected roles exactly these permissions?' });
    await overwrite();
    await question.getByRole('checkbox', { name: 'Do not show this again' }).check();
    const isKept = page.waitForResponse((answer) => answer.url().includes('/api/storage') && answer.request().method() === 'POST');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await toast('Permissions overwritten').waitFor();
    await isKept;
    await overwrite();
    await toast('Permissions overwritten').waitFor();
    expect(await question.count()).toBe(0);
    await page.goto(`${world.url}/account/settings`);
    const isAskedAgain = page.waitForResponse((answer) => answer.url().includes('/api/storage') && answer.request().method() !== 'GET');
    await page.getByRole('switch', { name: 'Overwrite permissions' }).click();
    await isAskedAgain;
    await expect.poll(() => page.getByRole('switch', { name: 'Overwrite permissions' }).getAttribute('aria-checked')).toBe('true');
    await overwrite();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('a message stays under the pointer, goes after its time, and is in the history [N1]', async () => {
    await page.clock.install();
    await page.goto(`${world.url}/tags`);
    await page.getByRole('row').filter({ hasText: 'bravo' }).waitFor();
    await editTag('bravo');
    await dialog().getByLabel('Description').fill('Ferries in the north');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toast('Tag saved').hover();
    await page.clock.runFor(20_000);
    expect(await toast('Tag saved').count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(5000);
    await toast('Tag saved').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Messages' }).click();
    await page.getByRole('dialog', { name: 'Messages of this session' }).getByText('Tag saved').waitFor();
    expect(watched.faults()).toEqual([]);
  });
});
