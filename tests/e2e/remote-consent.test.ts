import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeEntry, startService, type Service } from '../helpers/remote.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type WatchedPage, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const PURPOSE = 'The camera is dark';
let world: World;
let browser: Browser;
let echo: Service;
let own: Caller;
let support: Caller;
let entry: number;
let above: { id: number };
let company: { id: number; name: string };
let device: { id: number; name: string };

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeConsoleWorld({ config: { remote } });
  const { top, middle } = await makeTree(world);
  company = middle;
  above = top;
  [own, support] = [await as(world, 'admin', { company: middle }), await as(world, 'admin', { company: top })];
  for (const caller of [own, support]) await caller.post('/storage', { key: 'prompt.remote-cost', value: 'What a session costs' });
  device = await makeDevice(world, { company: middle, name: 'Quay router', status: 1 });
  echo = await startService((socket) => socket.end('Good morning\r\n'));
  entry = await makeEntry(own, { device_id: device.id, port: echo.port, name: 'Quay shell' });
  await own.put(`/companies/${middle.id}/remote-access`, { records_terminals: false, asks_consent: true, idle_minutes: 30 });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await echo?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function ask(page: Page): Promise<void> {
  await page.goto(`${world.url}/rms-connect/telnet?entry=${entry}`);
  const asked = page.getByRole('dialog', { name: t('remote.consent.title', { device: 'Quay router' }) });
  await asked.getByRole('textbox', { name: t('remote.consent.purpose') }).fill(PURPOSE);
  await asked.getByRole('button', { name: t('remote.consent.ask') }).click();
  await page.getByText(t('remote.consent.waiting', { company: company.name })).waitFor();
}

async function decide({ page }: WatchedPage, asker: Caller, verb: 'allow' | 'refuse'): Promise<void> {
  await page.goto(`${world.url}/remote/consents`);
  await page
    .getByRole('button', { name: new RegExp(`^Actions: ${asker.user.username}`) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t(`actions.remote-consents.${verb}`) }).click();
  const title = t(`forms.remote-access.${verb}-consent.title`);
  const form = page.getByRole('dialog', { name: title }).or(page.getByRole('alertdialog', { name: title }));
  await form.getByRole('button', { name: t(`forms.remote-access.${verb}-consent.submit`) }).click();
  await form.waitFor({ state: 'hidden' });
}

test('support asks a company for consent, somebody there refuses, and the page says so', async () => {
  const other = await as(world, 'admin', { company: above });
  await using theirs = await openAs(browser, world, other, 'en-GB');
  await using ours = await openAs(browser, world, own, 'en-GB');
  await ask(theirs.page);
  await decide(ours, other, 'refuse');
  await theirs.page.getByText(t('remote.consent.refused', { company: company.name })).waitFor();
  expect(await findAccessibilityFaults(theirs.page)).toEqual([]);
});

test('support asks a company for consent, somebody there allows it in another browser, and the session opens', async () => {
  await using theirs = await openAs(browser, world, support, 'en-GB');
  await using ours = await openAs(browser, world, own, 'en-GB');
  await ask(theirs.page);
  await decide(ours, support, 'allow');
  await until('the session', async () => (await theirs.page.locator('.xterm-rows').innerText()).includes('Good morning'));
});

test('a company sees on its page whose rules for remote access hold, and can follow the company above again', async () => {
  await using watched = await openAs(browser, world, own, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/companies/${company.id}/info`);
  await page.getByText(t('companies.access.own')).waitFor();
  await page.getByText(t('companies.access.consent_on')).waitFor();
  await page.getByRole('button', { name: t('companies.access.follow') }).click();
  const form = page.getByRole('dialog', { name: t('forms.remote-access.follow.title') });
  await form.getByRole('button', { name: t('forms.remote-access.follow.submit') }).click();
  await page.getByText(t('companies.access.nobody')).waitFor();
  await page.getByText(t('companies.access.consent_off')).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});

test('the page of an entry says where it leads, and has its sessions and links beside it', async () => {
  await using watched = await openAs(browser, world, own, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/remote/access`);
  await page.getByRole('link', { name: 'Quay shell' }).click();
  await page.getByRole('heading', { name: 'Quay shell' }).waitFor();
  await page.getByText(t('remote-access.nobody')).waitFor();
  await page.getByRole('link', { name: 'Quay router' }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page
    .getByRole('link', { name: t('resources.access-history.title') })
    .last()
    .click();
  await page.getByRole('cell', { name: support.user.username }).first().waitFor();
  expect(watched.faults()).toEqual([]);
});
