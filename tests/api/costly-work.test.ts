import { beforeAll, expect, test } from 'vitest';
import { replayDevices } from '../../server/features/automations/replay.ts';
import { ruleOf } from '../../server/features/automations/stored-rule.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { dearArchives, dearConditions, makeNamedDevices, plainPicture } from '../helpers/costly-samples.ts';
import { makeCompany, makeFile } from '../helpers/factories.ts';
import { multipartBody, multipartHeaders, sendParts } from '../helpers/multipart.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let reader: Caller;
let dearRule: number;
let archives: [number, number];

beforeAll(async () => {
  world = await makeWorld({ listen: true });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  reader = await as(world, 'readonly_admin', { company });
  await makeNamedDevices(world, company, 24);
  dearRule = (await admin.post('/automations', { name: 'Dear', enabled: false, conditions_body: dearConditions(200) })).data.id;
  const [first, second] = dearArchives();
  const keep = async (content: Buffer) => (await makeFile(world, { company, content })).id;
  archives = [await keep(first), await keep(second)];
  return () => world[Symbol.asyncDispose]();
});

const { signal: NEVER } = new AbortController();

/** A call over a real connection, which ends with the signal. */
const call = (caller: Caller, path: string, signal = NEVER, body?: object) =>
  fetch(`${world.url}/api${path}`, {
    signal,
    headers: { ...caller.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });

const backTest = (caller: Caller, signal = NEVER) => call(caller, '/automations/back-test', signal, { automation_id: dearRule });
const compare = (caller: Caller, signal = NEVER) => call(caller, `/files/${archives[0]}/diff/${archives[1]}`, signal);
const counts = (cost: 'processor' | 'picture') => world.ctx.costly.counts(cost);

const upload = (caller: Caller, bytes: Buffer): Promise<Answer> =>
  sendParts(world, caller, '/images', [
    { name: 'type', text: 'device_dashboard' },
    { name: 'image', text: bytes, fileName: 'plan.png' },
  ]);

test.each([
  ['a back-test', backTest],
  ['a comparison', compare],
])(
  '%s runs once for a person, ends with the connection of its caller, and the next of the person begins [HP3] [HP7]',
  async (_what, ask) => {
    const leaving = [new AbortController(), new AbortController(), new AbortController()];
    const gone = leaving.map(({ signal }) => ask(reader, signal).catch(() => 'gone'));
    await until('one runs and two wait', () => counts('processor').running === 1 && counts('processor').waiting === 2);
    const refused = await ask(reader);
    expect([refused.status, ((await refused.json()) as { errors: object[] }).errors]).toEqual([
      429,
      [expect.objectContaining({ code: 'OWN_WORK_RUNNING' })],
    ]);
    const [first, ...others] = leaving;
    first?.abort();
    await until('the next runs', () => counts('processor').waiting === 1);
    for (const other of others) other.abort();
    await until('none is left', () => counts('processor').running === 0 && counts('processor').waiting === 0);
    expect(await Promise.all(gone)).toEqual(['gone', 'gone', 'gone']);
  },
);

test('a test of a rule ends with its budget of conditions, and says so [HP3]', async () => {
  const { reads, tools } = world.ctx.database;
  const source = { reads, tools, now: world.clock.now(), telemetryRawMs: DAY, [Symbol.asyncDispose]: async () => undefined };
  const devices = await reads.selectFrom('devices').select(['id', 'name', 'timezone']).execute();
  const row = await reads.selectFrom('automations').selectAll().where('id', '=', dearRule).executeTakeFirstOrThrow();
  await expect(replayDevices(source, ruleOf(row), devices, 1000)).rejects.toMatchObject({
    status: 422,
    items: [{ code: 'WORK_TOO_LARGE' }],
  });
});

test('of a rule that acts all the time only the newest 200 firings are kept [HP3]', async () => {
  const { data } = await admin.post('/automations', { name: 'Small', enabled: false, conditions_body: dearConditions(10) });
  const tested = await reader.post('/automations/back-test', { automation_id: data.id });
  expect(tested.data).toMatchObject({ devices: 24, without_history: 0 });
  expect(tested.data.count).toBeGreaterThan(200);
  const times = tested.data.firings.map(({ at }: { at: string }) => at);
  expect(times).toHaveLength(200);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(Date.parse(`${times[0].replace(' ', 'T')}Z`)).toBeGreaterThan(world.clock.now() - DAY);
});

test('the conditions of a rule are bounded over all its branches, and the field says how many [HP3]', async () => {
  const branches = dearConditions(200);
  const more = { ...branches[0], type: 'if', expression: [{ parameter: 'signal', operator: '<', value: '-100' }] };
  const inside = { ...more, conditions: [more] };
  const refused = await admin.post('/automations', {
    name: 'Many',
    conditions_body: [...branches.slice(1), { ...branches[0], conditions: [inside] }],
  });
  expect(refused).toMatchObject({ status: 400, errors: [{ source: 'conditions_body', params: { max: '200' } }] });
});

test('pictures of a person are drawn one after the other; more than may wait are refused [HP4]', async () => {
  const bytes = await plainPicture(3000);
  const answers = await Promise.all(Array.from({ length: 9 }, () => upload(admin, bytes)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array.from({ length: 6 }, () => 201), 429, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.codes).toEqual(['OWN_WORK_RUNNING']);
});

test('the drawing of a picture ends when its sender leaves [HP4]', async () => {
  const parts = [
    { name: 'type', text: 'device_dashboard' },
    { name: 'image', text: await plainPicture(6000), fileName: 'plan.png' },
  ];
  const leaving = new AbortController();
  const sending = fetch(`${world.url}/api/images`, {
    method: 'POST',
    body: new Uint8Array(multipartBody(parts)),
    headers: multipartHeaders(admin.headers),
    signal: leaving.signal,
  }).catch(() => 'gone');
  const before = (await admin.get('/images', { limit: 1 })).meta['total'];
  await until('it is drawn', () => counts('picture').running === 1);
  leaving.abort();
  await until('nothing is drawn', () => counts('picture').running === 0);
  expect(await sending).toBe('gone');
  expect((await admin.get('/images', { limit: 1 })).meta['total']).toBe(before);
});

test.each([
  [
    'an interlaced one above 4 megapixels',
    () => plainPicture(2100, { isInterlaced: true }),
    { key: 'forms.images.new.interlaced', megapixels: 4 },
  ],
  ['one of 16 bits above 20 megapixels', () => plainPicture(4600, { bits: 16 }), { key: 'forms.images.new.too_large', megapixels: 20 }],
])('a picture that is dear to draw is refused in words: %s [HP4]', async (_what, make, params) => {
  expect(await upload(admin, await make())).toMatchObject({ status: 400, errors: [{ source: 'image', params }] });
});

test('an interlaced picture of some megapixels is drawn [HP4]', async () => {
  expect(await upload(admin, await plainPicture(1900, { isInterlaced: true, bits: 16 }))).toMatchObject({ status: 201 });
});

test('a company that has as many pictures as it may is told so before one is drawn [HP4]', async () => {
  const full = await makeCompany(world);
  const person = await as(world, 'admin', { company: full });
  const row = {
    company_id: full.id,
    user_id: person.user.id,
    user_name: '',
    name: 'plan.png',
    description: '',
    type: 'device_dashboard' as const,
  };
  const drawn = {
    content_type: 'image/png' as const,
    size: 1,
    original_width: 1,
    original_height: 1,
    bytes: '',
    thumbnail: '',
    created_at: 1,
    updated_at: 1,
  };
  await world.ctx.db
    .insertInto('images')
    .values(Array.from({ length: 200 }, () => ({ ...row, ...drawn })))
    .execute();
  const refused = await upload(person, Buffer.from('no picture at all'));
  expect(refused).toMatchObject({ status: 400, errors: [{ source: 'image', params: { key: 'forms.images.new.full' } }] });
});

test('of two archives full of texts as many are compared as the budget allows, and the answer says that it is cut [HP7]', async () => {
  const { data, status } = await reader.get(`/files/${archives[0]}/diff/${archives[1]}`);
  expect(status).toBe(200);
  expect(data).toMatchObject({ equal: 0, is_cut: true });
  expect(data.files).toHaveLength(120);
  expect(data.files[0].diff).toContain('@@');
  expect(data.files.at(-1).diff).toBeNull();
});

test('sign-ins are answered while all of it runs [HP3] [HP4] [HP7]', async () => {
  const leaving = new AbortController();
  const running = [backTest(reader, leaving.signal), compare(admin, leaving.signal)].map((work) => work.catch(() => 'gone'));
  await until('both run', () => counts('processor').running === 2);
  const answer = await send(world, 'POST', '/account/login', {
    body: { email: reader.user.email, password: 'wrong' },
    headers: { origin: world.url },
  });
  expect(answer.codes).toEqual(['WRONG_CREDENTIALS']);
  expect(counts('processor').running).toBe(2);
  leaving.abort();
  expect(await Promise.all(running)).toEqual(['gone', 'gone']);
});
