import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BuiltInRole } from '../../schemas/kit/form/types.ts';
import { openLocalFiles } from '../../server/edges/files/open-local-files.ts';
import { cookieNames, FORGERY_COOKIE } from '../../server/kernel/auth/cookies.ts';
import { forgeryToken } from '../../server/kernel/auth/forgery.ts';
import { createSession } from '../../server/kernel/auth/sessions.ts';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { openDatabase, type Database } from '../../server/kernel/db/database.ts';
import { loadSecretKey } from '../../server/kernel/secret-key.ts';
import { dearArchives, dearConditions, makeNamedDevices, plainPicture } from '../helpers/costly-samples.ts';
import { makeCompany, makeDevice, makeFile, makeUser, PASSWORD, type Place } from '../helpers/factories.ts';
import { makeDevices } from '../helpers/many-devices.ts';
import { multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';

const ASKED = 5;
const MAX_ASKED = 100;
const PAUSE_MS = 50;
const CALLS_AT_ONCE = 2;
const SLOWER_BY_MS = 500;
const MAX_GROWTH_MB = 300;
const DEVICES = 3000;
const METRICS = 32;

let server: ServerProcess;
let database: Database;
let place: Place & { ctx: { files: ReturnType<typeof openLocalFiles>; config: { dataDir: string } } };
let company: Awaited<ReturnType<typeof makeCompany>>;
let email: string;
let device: Awaited<ReturnType<typeof makeDevice>>;
let paths: Record<'archives' | 'report' | 'rule', string | number>;
let picture: Buffer;
let sheet: Buffer;

/** The address and headers of a new person of this role, as their browser sends them. */
async function enter(role: BuiltInRole): Promise<Record<string, string>> {
  const ctx = { secretKey: loadSecretKey(join(server.dataDir, 'secret.key')), publicUrl: () => server.url };
  const user = await makeUser(place, { role, company });
  const origin = { ip: '127.0.0.1', requestId: 'test', userAgent: 'test' };
  const session = await createSession(ctx, database.db, { userId: user.id, now: Date.now(), origin });
  const forgery = forgeryToken(ctx, session.sessionId);
  return {
    cookie: `${cookieNames(ctx).access}=${session.access}; ${FORGERY_COOKIE}=${forgery}`,
    'x-xsrf-token': forgery,
    'x-requested-with': 'XMLHttpRequest',
    origin: server.url,
  };
}

/** A month and two of hours for one device, of as many metrics as one chart shows. */
async function fillHours(): Promise<void> {
  const now = Date.now();
  const first = now - (now % HOUR) - 90 * DAY;
  await sql`with recursive hours (n) as (select 0 union all select n + 1 from hours where n < ${90 * 24}),
    metrics (m) as (select 0 union all select m + 1 from metrics where m < ${METRICS - 1})
    insert into device_hours (device_id, metric, at, readings, lowest, highest, total, last)
    select ${device.id}, 'm' || metrics.m, ${first} + hours.n * ${HOUR}, 12, 1, 9, 60 + (hours.n * 7 + metrics.m) % 12, 5 from hours cross join metrics`.execute(
    database.db,
  );
  await sql`with recursive changes (n) as (select 0 union all select n + 1 from changes where n < 60000)
    insert into device_states (device_id, name, at, value)
    select ${device.id}, 'wan_ip', ${now} - 31 * ${DAY} + changes.n * 44000, '10.0.0.' || (changes.n % 250) from changes`.execute(
    database.db,
  );
}

/** A report of a thousand devices, which is as many as a PDF lists. */
async function fillReport(): Promise<number> {
  const now = Date.now();
  const { id } = await database.db
    .insertInto('generated_reports')
    .values({
      ...{ company_id: company.id, report_id: null, report_name: 'All', name: 'All', description: '', type: 'single', period: 'month' },
      ...{ parameters: '["availability","signal","firmware"]', variables: '[]', starts_at: now - 30 * DAY, ends_at: now, job_id: null },
      ...{ mail_to: '[]', mail_language: 'en', smtp_config_id: null, mailed_at: null, user_name: 'Ada', created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into report_devices (generated_id, device_id, company_id, name, serial, mac, company_name, site_name, avg_signal, min_signal, max_signal,
      availability, firmware)
    select ${id}, id, company_id, name, serial, mac, 'Harbour', 'Oslo ' || (id % 200), -80, -110, -60, 99.5, firmware from devices limit 1000`.execute(
    database.db,
  );
  return id;
}

async function fillFiles(): Promise<[number, number]> {
  const [first, second] = dearArchives();
  const keep = async (content: Buffer) => (await makeFile(place, { company, content, type: 'periodic_backup' })).id;
  return [await keep(first), await keep(second)];
}

beforeAll(async () => {
  server = await startServerProcess();
  database = openDatabase({ url: undefined, dataDir: server.dataDir });
  const files = openLocalFiles(join(server.dataDir, 'files'));
  place = {
    ctx: { db: database.db, clock: { now: () => Date.now() } as Place['ctx']['clock'], files, config: { dataDir: server.dataDir } },
  };
  company = await makeCompany(place);
  email = (await makeUser(place, { role: 'end_user', company })).email;
  await makeNamedDevices(place, company, 16);
  device = await makeDevice(place, { company });
  const rule = { branches: dearConditions(200), delaySeconds: 0, delayCount: 0, cooldownSeconds: 0, limit: null, period: 'hour' };
  const admin = await enter('admin');
  const added = await fetch(`${server.url}/api/automations`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Dear', enabled: false, conditions_body: rule.branches }),
  });
  const { data } = (await added.json()) as { data: { id: number } };
  await makeDevices(place, DEVICES, { company: await makeCompany(place, { parent: company }) });
  await fillHours();
  paths = { archives: (await fillFiles()).join('/diff/'), report: await fillReport(), rule: data.id };
  picture = await plainPicture(6320);
  sheet = Buffer.from(`serial,mac,name\n${'1106000001,00:1E:42:00:00:01,a long enough name of a device\n'.repeat(9900)}`);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Ask {
  path: string;
  body?: object | Buffer;
}

const parts = (file: Buffer, name: string, fields: Record<string, string>): Buffer =>
  multipartBody([...Object.entries(fields).map(([field, text]) => ({ name: field, text })), { name, text: file, fileName: name }]);

const cases: [string, BuiltInRole, () => Ask][] = [
  ['a back-test', 'readonly_admin', () => ({ path: '/automations/back-test', body: { automation_id: paths.rule } })],
  ['a comparison of archives', 'readonly_admin', () => ({ path: `/files/${paths.archives}` })],
  ['a picture', 'end_user', () => ({ path: '/images', body: parts(picture, 'image', { type: 'device_dashboard' }) })],
  ['a report as PDF', 'readonly_admin', () => ({ path: `/reports/generated/${paths.report}/pdf` })],
  ['an export as a workbook', 'readonly_admin', () => ({ path: '/devices/export/csv?format=xlsx' })],
  [
    'charts over months',
    'readonly_admin',
    () => ({ path: `/devices/${device.id}/series?metrics=${metrics()}&states=wan_ip&${months(90)}` }),
  ],
  ['what is usual', 'readonly_admin', () => ({ path: `/devices/${device.id}/usual?metrics=${metrics()}&${months(30)}` })],
  ['a history of a device', 'readonly_admin', () => ({ path: `/devices/${device.id}/information/dynamic?${months(30)}` })],
  ['figures of a company', 'readonly_admin', () => ({ path: `/companies/${company.id}/series?parameter=temperature&${months(90)}` })],
  [
    'a sheet of devices',
    'admin',
    () => ({
      path: '/devices/import/preview',
      body: parts(sheet, 'file', { company_id: String(company.id), source: 'file', device_series: 'rut' }),
    }),
  ],
];

const metrics = (): string => Array.from({ length: METRICS }, (_metric, index) => `m${index}`).join(',');
const months = (days: number): string => `start_date=${new Date(Date.now() - days * DAY).toISOString().slice(0, 10)}`;

/** Sends a call until the signal ends it, and keeps the statuses of the answers. */
async function keepAsking(
  headers: Record<string, string>,
  { path, body }: Ask,
  { signal, statuses }: { signal: AbortSignal; statuses: number[] },
): Promise<void> {
  const typed = Buffer.isBuffer(body) ? multipartHeaders(headers) : { ...headers, 'content-type': 'application/json' };
  const options =
    body === undefined
      ? { headers }
      : { method: 'POST', headers: typed, body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) };
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${server.url}/api${path}`, { ...options, signal });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How long a sign-in and `/health` take, in the median; `isEnough` says when there are calls enough beside at least those of `ASKED`. */
async function measure(isEnough: () => boolean = () => true): Promise<{ signIn: number; health: number }> {
  const times: { signIn: number[]; health: number[] } = { signIn: [], health: [] };
  const time = async (path: string, options: RequestInit): Promise<number> => {
    const begun = performance.now();
    const answer = await fetch(`${server.url}${path}`, options);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    return performance.now() - begun;
  };
  const login = {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ email, password: PASSWORD }),
  };
  while (times.signIn.length < ASKED || (!isEnough() && times.health.length < MAX_ASKED)) {
    if (times.signIn.length < ASKED) times.signIn.push(await time('/api/account/login', login));
    times.health.push(await time('/health', {}));
    await setTimeout(PAUSE_MS);
  }
  return { signIn: medianOf(times.signIn), health: medianOf(times.health) };
}

/** What the server and its helpers hold in memory; what they share counts once. */
function memoryMb(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  // `12 (node) S 7 …`: the parent is the second after the name.
  const isOwn = (pid: string): boolean =>
    pid === String(server.pid()) || read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] === String(server.pid());
  const KIB_A_MB = 1024;
  return pids
    .filter(isOwn)
    .reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / KIB_A_MB, 0);
}

test.each(cases)(
  'beside %s, sign-ins and /health are answered as before, and memory is bounded [HP3] [HP4] [HP7]',
  async (_what, role, ask) => {
    const headers = await enter(role);
    const quiet = await measure();
    const memoryBefore = memoryMb();
    const ending = new AbortController();
    const statuses: number[] = [];
    const asking = Array.from({ length: CALLS_AT_ONCE }, () => keepAsking(headers, ask(), { signal: ending.signal, statuses }));
    let highest = 0;
    const watch = setInterval(() => (highest = Math.max(highest, memoryMb())), 100);
    const busy = await measure(() => statuses.length > 0);
    clearInterval(watch);
    ending.abort();
    await Promise.all(asking);
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
    expect(busy.signIn).toBeLessThan(2 * quiet.signIn + SLOWER_BY_MS);
    expect(busy.health).toBeLessThan(2 * quiet.health + SLOWER_BY_MS);
    expect(highest - memoryBefore).toBeLessThan(MAX_GROWTH_MB);
  },
);
