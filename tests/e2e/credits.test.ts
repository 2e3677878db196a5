import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { left, makeCode, paid } from '../helpers/credits.ts';
import { makeCompany } from '../helpers/factories.ts';
import { readPdf } from '../helpers/pdf-text.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { chosenOf, findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

const LANGUAGES = [
  {
    locale: 'nb-NO',
    actions: 'Flere handlinger',
    addData: 'Legg til selskapsdata',
    submitData: 'Legg til data',
    company: 'Selskap',
    credits: 'Kreditter',
    spends: 'Er du sikker på at du vil bruke 3 kreditter for å få 6 GB data?',
    confirm: 'Bekreft',
    dataAdded: 'Data er lagt til',
    dataHistory: 'Datahistorikk',
    redeem: 'Aktiver kode',
    submitCode: 'Aktiver',
    code: 'Kode',
    codeUsed: 'Koden er aktivert',
    refused: 'Denne koden kan ikke brukes.',
  },
];

let world: World;
let browser: Browser;
let root: Caller;

beforeAll(async () => {
  world = await makeConsoleWorld();
  root = await as(world, 'super_admin');
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** A page in the session of an administrator of a company with ten credits. */
async function openAsAdmin(name: string, locale: string) {
  const company = await makeCompany(world, { name });
  await root.post('/credits', paid(company.id, 10));
  const admin = await as(world, 'admin', { company });
  const watched = await openAs(browser, world, admin, locale);
  return { watched, page: watched.page, admin, company };
}

test.each(LANGUAGES)('credits of a company are spent for data after a question that names both numbers ($locale)', async (words) => {
  const { watched, page, admin, company } = await openAsAdmin(`Fjordline ${words.locale}`, words.locale);
  await using _closing = watched;
  await page.goto(`${world.url}/resources`);
  await page.getByRole('button', { name: words.addData }).click();
  const dialog = page.getByRole('dialog', { name: words.addData });
  await dialog.getByRole('combobox', { name: words.company }).click();
  await page.getByRole('option', { name: company.name }).click();
  await dialog.getByRole('textbox', { name: words.credits }).fill('0003');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: words.submitData }).click();
  const question = page.getByRole('alertdialog').filter({ hasText: words.spends });
  await question.waitFor();
  expect(await left(admin, company.id), 'nothing is spent before the answer').toBe(10);
  await question.getByRole('button', { name: new RegExp(`^(${words.submitData}|${words.confirm})$`) }).click();
  await page.getByText(words.dataAdded).waitFor();
  await until('the credits to be spent', async () => (await left(admin, company.id)) === 7);
  await page.getByRole('row').filter({ hasText: company.name }).getByText('7', { exact: true }).waitFor();
  await page.getByRole('link', { name: words.dataHistory }).click();
  await page.getByRole('row').filter({ hasText: company.name }).getByText('6 GB').waitFor();
  expect(watched.faults()).toEqual([]);
});

test.each(LANGUAGES)('a code gives its credits once; the second time it is refused at the field ($locale)', async (words) => {
  const { watched, page, admin, company } = await openAsAdmin(`Nordlys ${words.locale}`, words.locale);
  await using _closing = watched;
  const { code } = await makeCode(root, company.id, 4);
  await page.goto(`${world.url}/resources`);
  const dialog = page.getByRole('dialog', { name: words.redeem });
  const field = dialog.getByRole('textbox', { name: words.code });
  const send = async () => {
    await page.getByRole('button', { name: words.actions }).first().click();
    await page.getByRole('menuitem', { name: words.redeem }).click();
    await field.fill(code);
    await dialog.getByRole('button', { name: words.submitCode, exact: true }).click();
  };
  await send();
  await page.getByText(words.codeUsed).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: company.name }).getByText('10', { exact: true }).waitFor();
  await send();
  await dialog.getByText(words.refused).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue(), 'what was typed stays').toBe(code);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(await left(admin, company.id)).toBe(10);
  expect(watched.faults()).toEqual([]);
});

test('a company’s resources have one row of pages, and its usage report is saved as PDF', async () => {
  const { watched, page, company } = await openAsAdmin('Lofoten', 'en-GB');
  await using _closing = watched;
  await page.goto(`${world.url}/companies/${company.id}/resources`);
  await page.getByRole('cell', { name: '10', exact: true }).first().waitFor();
  expect(await page.getByRole('navigation', { name: 'Resource pages' }).count()).toBe(0);
  // The first one is of the company, beside its name.
  await page.getByRole('button', { name: 'More actions' }).last().click();
  await page.getByRole('menuitem', { name: 'Usage report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Usage report' });
  const chosen = dialog.getByRole('combobox', { name: 'Company' });
  await until('the company is chosen', async () => (await chosenOf(chosen)) === 'Lofoten');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as PDF' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^credits-.*\.pdf$/);
  expect(readPdf(readFileSync(await (await saved).path())).text.replaceAll('\n', '')).toContain('Usage report: Lofoten');
  await dialog.waitFor({ state: 'detached' });
  // One pool has a report of its own.
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click();
  const savedPool = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download PDF' }).click();
  const pool = readPdf(readFileSync(await (await savedPool).path())).text.replaceAll('\n', '');
  expect([pool.includes('Usage report: Lofoten'), pool.includes('Credit: 10 of 10 left')]).toEqual([true, true]);
  expect(watched.faults()).toEqual([]);
});
