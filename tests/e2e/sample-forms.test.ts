import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servePages, type PagesServer } from '../../bench/pages-server.ts';
import { antdStyles } from '../../scripts/antd-styles-plugin.ts';
import { importForm } from '../../schemas/kit/form/import-form.ts';
import { contractForms } from '../../schemas/kit/codegen/vite-plugin.ts';
import { chosenOf, findAccessibilityFaults, launchBrowser, openPage, type WatchedPage, type Browser } from './browser.ts';
import type { JsonSchema, JsonValue } from '../../schemas/kit/form/types.ts';
import type { samples as Samples } from './pages/samples.tsx';

declare const samples: typeof Samples;

interface Sample {
  name: string;
  schema: JsonSchema;
  uiSchema: Record<string, JsonValue>;
  valid: JsonValue;
}

const folder = new URL('../contract/sample-forms/rjsf/', import.meta.url);
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const sample: Sample = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return { id: `samples/${file.slice(0, -'.json'.length)}`, name: sample.name, sample };
  });

/** The console's, as far as scripts go: nothing makes code from text. */
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'";

/** Ajv as everybody has it: with the formats of ajv-formats, and that of files in texts. */
function plainVerdict({ $schema = '', ...schema }: JsonSchema): (data: unknown) => boolean {
  const Draft = $schema.includes('2020-12') ? Ajv2020 : Ajv;
  const ajv = new Draft({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('data-url', /^data:([a-z]+\/[a-z0-9-+.]+)?;(?:name=(.*);)?base64,(.*)$/);
  const validate = ajv.compile(schema);
  return (data) => validate(data);
}

let forms: string;
let pages: PagesServer<'samples'>;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let form: Locator;
/** Bodies that forms sent. */
const sent: unknown[] = [];

beforeAll(async () => {
  forms = mkdtempSync(join(tmpdir(), 'canopy-samples-'));
  mkdirSync(join(forms, 'samples'));
  for (const { id, sample } of all)
    writeFileSync(join(forms, `${id}.form.json`), JSON.stringify(importForm(id, { ...sample, data: sample.valid })));
  const pagesFolder = fileURLToPath(new URL('pages', import.meta.url));
  pages = await servePages({ folder: pagesFolder, pages: ['samples'], plugins: [contractForms(forms), antdStyles()], policy: POLICY });
  browser = await launchBrowser();
  watched = await openPage(browser, { reducedMotion: 'reduce' });
  page = watched.page;
  await page.route('**/api/**', (route) => {
    sent.push(JSON.parse(route.request().postData() ?? 'null'));
    return route.fulfill({ json: { success: true, data: {} } });
  });
  await page.goto(pages.url('samples'));
  await page.waitForFunction(() => 'samples' in globalThis);
  form = page.locator('main form');
});

afterAll(async () => {
  await browser?.close();
  await pages?.[Symbol.asyncDispose]();
  rmSync(forms, { recursive: true, force: true });
});

function draw(id: string, start?: JsonValue): Promise<void> {
  return page.evaluate(([form, text]) => samples.draw(form, text === '' ? undefined : JSON.parse(text)), [
    id,
    start === undefined ? '' : JSON.stringify(start),
  ] as const);
}

/** What would be sent now, and whether the form takes it. */
async function judge(): Promise<{ data: unknown; isRight: boolean }> {
  return JSON.parse(await page.evaluate(() => JSON.stringify(samples.judge())));
}

/** Presses the last of these buttons that can be pressed; answers whether there was one. */
async function press(selector: string): Promise<boolean> {
  const buttons = form.locator(`button[id$="${selector}"]:not([disabled])`);
  const count = await buttons.count();
  if (count > 0) await buttons.nth(count - 1).click();
  return count > 0;
}

/** Takes the last option of a list; what was chosen must stay. A list for several stays open. */
async function chooseLast(box: Locator): Promise<void> {
  await box.click();
  const last = page.getByRole('option').last();
  const words = await last.innerText();
  if ((await last.getAttribute('aria-selected')) !== 'true') await last.click();
  if ((await box.getAttribute('aria-expanded')) === 'true') {
    expect(await last.getAttribute('aria-selected')).toBe('true');
    await box.press('Escape');
  } else expect(await chosenOf(box)).toBe(words);
}

/** Types into the first text and the first number, and takes the last of each choice; what is typed must stay. */
async function fill(): Promise<void> {
  for (const mode of [
    'input[type="text"]:not([inputmode]):not([role]):enabled, textarea:enabled',
    'input[inputmode="decimal"]:enabled, input[inputmode="numeric"]:enabled',
  ]) {
    const field = form.locator(mode).first();
    if ((await field.count()) === 0) continue;
    await field.fill('7');
    await field.press('8');
    expect(await field.inputValue()).toBe('78');
  }
  const choices = form.locator('[role="combobox"]:enabled');
  for (let index = 0; index < (await choices.count()); index += 1) await chooseLast(choices.nth(index));
  const groups = form.getByRole('radiogroup');
  for (let index = 0; index < (await groups.count()); index += 1) {
    const radio = groups.nth(index).getByRole('radio', { disabled: false }).last();
    if ((await radio.count()) > 0) await radio.check();
  }
  const ticks = form.locator('input[type="checkbox"]:enabled');
  if ((await ticks.count()) > 0) await ticks.first().click();
}

describe.each(all)('the sample $name', ({ id, sample }) => {
  test('is drawn, filled in, added to and taken from under the content policy, judged as Ajv does, and sent', async () => {
    const isRightToAjv = plainVerdict(sample.schema);
    const before = watched.faults().length;
    await draw(id, sample.valid);
    // rjsf fills in defaults, also of what was left out on purpose: the verdict is about what would be sent.
    const loaded = await judge();
    expect(loaded).toEqual({ ...loaded, isRight: isRightToAjv(loaded.data) });

    await draw(id);
    await fill();
    if (await press('__add')) {
      await fill();
      await press('__copy');
      await press('__moveUp');
      await press('__remove');
    }
    const { data, isRight } = await judge();
    expect({ data, isRight }).toEqual({ data, isRight: isRightToAjv(data) });
    sent.length = 0;
    expect(await page.evaluate(() => samples.submit())).toBe(isRight);
    expect(sent).toEqual(isRight ? [data ?? null] : []);
    expect(watched.faults().slice(before)).toEqual([]);
  });
});

test.each(['arrays', 'widgets', 'any-of', 'additional-properties', 'layout-grid', 'optional-data-controls'])(
  'axe finds no fault in the sample %s, right or wrong [X1]',
  async (name) => {
    const found = all.find(({ id }) => id === `samples/${name}`);
    await draw(`samples/${name}`, found?.sample.valid);
    const atRest = await findAccessibilityFaults(page, { part: 'main form' });
    await draw(`samples/${name}`);
    await press('__add');
    await judge();
    expect([...atRest, ...(await findAccessibilityFaults(page, { part: 'main form' }))]).toEqual([]);
  },
);
