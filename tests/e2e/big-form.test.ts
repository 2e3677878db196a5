import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { apnForm, putFile, textOf, webhookTo } from '../helpers/forms.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { launchBrowser, type WatchedPage, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

const FIELDS = 300;
const IN_SECTION = 20;
const names = Array.from({ length: FIELDS }, (_, index) => `field_${index}`);
const REQUIRED = ['field_1', 'field_290'];

/** Every field but the two required ones starts with a value. */
const manyFields = apnForm({
  id: 'ops/many',
  title: { en: 'Many fields' },
  submitLabel: { en: 'Send them' },
  surface: 'page',
  permission: 'view_devices',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: REQUIRED,
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'string', minLength: 1, maxLength: 40, ...(REQUIRED.includes(name) ? {} : { default: `value of ${name}` }) },
      ]),
    ),
  },
  fields: {},
  ui: Object.fromEntries(names.map((name) => [name, { 'ui:label': { en: name.replace('_', ' ') } }])),
  sections: Array.from({ length: FIELDS / IN_SECTION }, (_, index) => ({
    title: { en: `Part ${index + 1}` },
    fields: names.slice(index * IN_SECTION, (index + 1) * IN_SECTION),
  })),
  place: { menu: 'system' },
  submit: { webhook: { to: 'tickets' }, success: { message: { en: 'Handed over' } } },
  examples: [{ field_1: 'a', field_290: 'b' }],
});

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: World;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  receiver = await startReceiver([200]);
  world = await makeConsoleWorld({
    ...webhookTo(receiver.url, true),
  });
  putFile(world, 'ops/many', textOf(manyFields));
  browser = await launchBrowser();
  watched = await openAs(browser, world, await as(world, 'super_admin'), 'en-GB');
  page = watched.page;
  await until('the form', async () => (await world.ctx.db.selectFrom('form_versions').select('form_id').execute()).length === 1);
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

const box = (name: string) => page.getByRole('textbox', { name, exact: true });

test('a form of 300 fields has every field in the page, the last ones with their values too', async () => {
  await page.goto(`${world.url}/forms/ops/many`);
  await box('field 0').waitFor();
  expect(await box('field 145').inputValue()).toBe('value of field_145');
  expect(await box('field 299').inputValue()).toBe('value of field_299');
});

test('a fault in a section far down is listed, and its link leads to the field [F2]', async () => {
  await page.getByRole('button', { name: 'Send them' }).click();
  await page.getByRole('link', { name: 'field 290' }).click();
  await page.waitForFunction(() => document.activeElement?.closest('[data-field$="-field_290"]') !== null);
  expect(await box('field 290').evaluate((element) => element === document.activeElement)).toBe(true);
  await box('field 290').fill('the last');
});

test('all fields are sent, those far down that nobody looked at too', async () => {
  await box('field 1').fill('the first');
  await page.getByRole('button', { name: 'Send them' }).click();
  await until('the call', () => receiver.taken.length === 1);
  const { data } = JSON.parse(receiver.taken[0]?.body ?? '{}');
  expect(data).toEqual({
    ...Object.fromEntries(names.map((name) => [name, `value of ${name}`])),
    field_1: 'the first',
    field_290: 'the last',
  });
  expect(watched.faults()).toEqual([]);
});
