import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import type { Device, Job, JobTarget } from '../../schemas/_generated/contract.ts';
import { ApiClient } from '../../scripts/api-client.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';
import { serviceImage, startAgent, type AgentProcess } from './agent-process.ts';
import { chooseOption, findAccessibilityFaults, launchBrowser, openPage, signIn, type WatchedPage, type Browser } from './browser.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const ACCOUNT = { email: 'ada@example.org', password: 'a long enough phrase' };
const SIMULATED = 200;
const FAILING = 5;
const LINUX = 'Machine on the quay';
const REFUSED = 'TSW202';
const NEXT = '00.08.01';

let server: ServerProcess;
let api: ApiClient;
let fleet: Fleet;
let agent: AgentProcess;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  server = await startServerProcess();
  api = new ApiClient(server.url);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  await api.call('POST', '/set-up', { token, company_name: 'Fjordline', first_name: 'Ada', last_name: 'Holm', ...ACCOUNT });
  const { company_id } = await api.call<{ company_id: number }>('GET', '/user');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', {
    company_id,
    uses: SIMULATED + 1,
    expires_in_hours: 1,
  });
  fleet = await startFleet({ url: server.url, code, devices: SIMULATED, moods: 'good', seed: 'roll-out', rebootSeconds: [0.1, 0.2] });
  agent = await startAgent({ url: server.url, code, name: LINUX, model: 'EDGE1', image: serviceImage('EDGE1_R_00.01.00') });
  const families = new Set(fleet.devices.map(({ identity }) => identity.model).filter(({ name }) => name !== REFUSED));
  const names = [...new Set([...families].map(({ family }) => `${family}${NEXT}_WEBUI.bin`))];
  const images = [
    ...names.map((name) => ({ name, content: 'an image '.repeat(2000) })),
    { name: `EDGE1_R_${NEXT}.bin`, content: serviceImage(`EDGE1_R_${NEXT}`) },
  ];
  for (const image of images) await api.upload('/files', { company_id: String(company_id), type: 'firmware' }, image);
  await until('all are online', async () => {
    const statistics = await api.call<{ status: Record<string, number> }>('GET', '/devices/statistics');
    return (statistics.status['1'] ?? statistics.status['online']) === SIMULATED + 1;
  });
  browser = await launchBrowser();
  watched = await openPage(browser);
  ({ page } = watched);
  await signIn(page, server.url, ACCOUNT);
});

afterAll(async () => {
  await browser?.close();
  await agent?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const devices = (query: string): Promise<Device[]> => api.call('GET', `/devices?${query}`);

/** The real machine and four others get the tag of those that go first. */
async function tagCanaries(): Promise<Device[]> {
  const { company_id } = await api.call<{ company_id: number }>('GET', '/user');
  const tag = await api.call<{ id: number }>('POST', '/tags', { name: 'canary', company_id });
  const [machine] = await devices(`q=${encodeURIComponent(LINUX)}&limit=1`);
  const others = (await devices('sort=-id&limit=20')).filter(({ model, id }) => model !== REFUSED && id !== machine?.id).slice(0, 4);
  const chosen = [...(machine ? [machine] : []), ...others];
  await api.call('PUT', '/devices/tags/assign', { tag_id: [tag.id], device_id: chosen.map(({ id }) => id) });
  return chosen;
}

const theJob = async (): Promise<Job> => {
  const [job] = await api.call<Job[]>('GET', '/jobs?sort=-id&limit=1');
  if (!job) throw new Error('no job');
  return job;
};

const targetsOf = async (id: number, state: string): Promise<JobTarget[]> => {
  const found: JobTarget[] = [];
  for (let offset = 0; ; offset += 100) {
    const part = await api.call<JobTarget[]>('GET', `/jobs/${id}/targets?state=${state}&limit=100&offset=${offset}`);
    found.push(...part);
    if (part.length < 100) return found;
  }
};

test('firmware goes to 200 simulated devices and a real machine in waves: a canary, a stop at five that go back, resumed after a crash of the server [DV4 B7]', async () => {
  const canaries = await tagCanaries();
  const refused = fleet.devices.filter(({ identity }) => identity.model.name === REFUSED).length;
  expect(refused).toBeGreaterThan(0);
  const willRun = SIMULATED + 1 - refused;

  await page.goto(`${server.url}/management/devices`);
  await page.getByRole('checkbox', { name: t('table.selectPage') }).check();
  await page.getByRole('button', { name: t('table.selectAllMatching_other', { count: String(SIMULATED + 1) }), exact: true }).click();
  const bar = page.getByRole('region', { name: t('table.bulk') });
  await bar.getByRole('button', { name: t('table.moreActions') }).click();
  await page.getByRole('menuitem', { name: t('actions.devices.update-firmware') }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('radio', { name: t('forms.devices.update-firmware.source_latest') }).check();
  await dialog.getByRole('checkbox', { name: t('fields.check_wan') }).uncheck();
  await dialog.getByRole('textbox', { name: t('fields.check_command') }).fill('test -d /');
  await dialog.getByRole('button', { name: t('jobs.preview'), exact: true }).click();
  await dialog.getByText(t('jobs.will_run_other', { count: String(willRun) })).waitFor();
  await dialog.getByText(t('jobs.why.NO_FILE')).waitFor();
  await chooseOption(dialog.getByRole('combobox', { name: t('jobs.waves.pace') }), t('jobs.waves.size_other', { count: '50' }));
  await chooseOption(dialog.getByRole('combobox', { name: t('jobs.waves.first'), exact: true }), t('jobs.waves.first_tag'));
  await dialog.getByRole('combobox', { name: t('jobs.waves.tag') }).click();
  await page.getByRole('option', { name: /canary/ }).click();
  await chooseOption(dialog.getByRole('combobox', { name: t('jobs.waves.next') }), t('jobs.waves.approved'));
  await chooseOption(dialog.getByRole('combobox', { name: t('jobs.waves.stop') }), t('jobs.waves.above', { percent: '5' }));
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: t('dialogs.typed_label', { expected: String(willRun) }) }).fill(String(willRun));
  await dialog.getByRole('button', { name: t('jobs.start.update_firmware_other', { count: String(willRun) }) }).click();
  await page.getByRole('link', { name: t('jobs.rollout.open') }).click();

  // The canary: the machine's service is the new one, and the next wave waits.
  // The job's window is beside the page.
  const main = page.getByRole('main');
  const next = main.getByRole('button', { name: t('jobs.continue') });
  await next.waitFor();
  expect(agent.serviceSays()).toBe(`EDGE1_R_${NEXT}`);
  expect(agent.reboots()).toBe(1);
  const job = await theJob();
  expect(new Set((await targetsOf(job.id, 'ok')).map(({ device_id }) => device_id))).toEqual(new Set(canaries.map(({ id }) => id)));
  expect(await findAccessibilityFaults(page)).toEqual([]);

  // Five of the next wave fail their check: they go back, and the roll-out holds itself back.
  const waiting = new Set((await targetsOf(job.id, 'queued')).slice(0, FAILING).map(({ device_name }) => device_name));
  const failing = fleet.devices.filter(({ identity }) => waiting.has(identity.name));
  expect(failing).toHaveLength(FAILING);
  const before = failing.map(({ identity }) => identity.firmware);
  for (const device of failing) device.updateMood = 'fails-check';
  await next.click();
  const resume = main.getByRole('button', { name: t('jobs.resume'), exact: true });
  await resume.waitFor();
  await main.getByText(/It stopped after wave 2: [\d.]+ % failed, more than 5 %/).waitFor();
  expect((await targetsOf(job.id, 'failed')).map(({ message }) => message)).toEqual(failing.map(() => 'no way to the internet'));
  await until('they run what they ran', () => failing.every(({ identity }, index) => identity.firmware === before[index]));
  expect(await findAccessibilityFaults(page)).toEqual([]);

  // Resumed, approved, and the server killed while the third wave is under way.
  await resume.click();
  await next.click();
  await until('the third wave has started', async () => (await theJob()).counts.ok > 51);
  await server.kill();
  await server.start();
  for (let wave = 4; wave <= 5; wave += 1) {
    await until(`wave ${wave} waits or it is over`, async () => {
      const { state, waves } = await theJob();
      return state === 'finished' || waves?.is_waiting === true;
    });
    if ((await theJob()).state !== 'finished') await next.click();
    await until(`wave ${wave} has started`, async () => {
      const { state, waves } = await theJob();
      return state === 'finished' || (waves?.number ?? 0) >= wave;
    });
  }
  await until('it is over', async () => (await theJob()).state === 'finished');
  expect((await theJob()).counts).toMatchObject({ ok: willRun - FAILING, failed: FAILING, skipped: refused, 'timed-out': 0 });
  const updated = fleet.devices.filter(({ identity }) => identity.firmware.endsWith(NEXT));
  expect(updated).toHaveLength(willRun - FAILING - 1);
  expect(agent.reboots()).toBe(1);
  await main.getByText(t('values.job.state.finished')).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});
