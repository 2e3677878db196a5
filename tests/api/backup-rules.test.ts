import { beforeEach, afterEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { runDueRules } from '../../server/features/backup-rules/run-due.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { namesBelow } from '../helpers/files.ts';
import { answer } from '../helpers/jobs.ts';
import { filePart, multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeEach(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterEach(() => world[Symbol.asyncDispose]());

const rule = (more: object = {}) => ({
  name: 'Nightly',
  applies_to: 'company',
  period: 'day',
  time: '03:00',
  timezone: 'UTC',
  keep: 2,
  ...more,
});
type Device = Awaited<ReturnType<typeof makeDevice>>;

/** The clock jumps to when the rule is due, and what is due runs, without the ticks in between. */
async function runWhenDue(id: number): Promise<void> {
  const { next_at } = await world.ctx.db.selectFrom('backup_rules').select('next_at').where('id', '=', id).executeTakeFirstOrThrow();
  await world.clock.jump((next_at ?? 0) + MINUTE - world.ctx.clock.now());
  await runDueRules(world.ctx);
  await world.ctx.jobs.settled();
}

async function giveBackup(device: Device, content: string): Promise<void> {
  const command = world.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command;
  const authorization = `Basic ${Buffer.from(`${device.device_key}:secret`).toString('base64')}`;
  const given = { body: multipartBody([filePart(content, 'x')]), headers: multipartHeaders({ authorization }) };
  expect((await send(world, 'POST', `/device-files/${command?.id}`, given)).status).toBe(200);
  await answer(world, device, {});
}

const backupsOf = (device: Device) =>
  world.ctx.db
    .selectFrom('files')
    .select(['sha256', 'size', 'type', 'content_key'])
    .where('device_id', '=', device.id)
    .orderBy('id')
    .execute();

test('a rule runs at its time with the rights of who set it up, keeps so many backups of each device, and deletes the older ones', async () => {
  const device = await makeDevice(world, { company });
  const { data } = await admin.post('/backup-rules', rule());
  for (const content of ['one', 'two!', 'three']) {
    await runWhenDue(data.id);
    expect(world.commands.at(-1)?.command).toMatchObject({ verb: 'send', body: 'what=backup\n' });
    await giveBackup(device, content);
  }
  const files = await backupsOf(device);
  expect(files.map(({ type, size }) => [type, size])).toEqual([
    ['periodic_backup', 4],
    ['periodic_backup', 5],
  ]);
  expect(namesBelow(world, 'files').sort()).toEqual(files.map(({ content_key }) => content_key).sort());
  const removed = await world.ctx.db.selectFrom('audit').select('entity_name').where('action', '=', 'files.remove').execute();
  expect(removed).toHaveLength(1);
  const caller = await as(world, 'admin', { company });
  expect((await caller.get(`/backup-rules/${data.id}`)).data).toMatchObject({ last_job_id: expect.any(Number), is_active: true });
});

test('a run that two processes see is one job, and its failure is reported to the person who set the rule up', async () => {
  const device = await makeDevice(world, { company });
  const { data } = await admin.post('/backup-rules', rule());
  const before = await world.ctx.db.selectFrom('backup_rules').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow();
  await runWhenDue(data.id);
  await world.ctx.db.updateTable('backup_rules').set({ next_at: before.next_at }).where('id', '=', data.id).execute();
  await runDueRules(world.ctx);
  const jobs = await world.ctx.db.selectFrom('jobs').selectAll().where('kind', '=', 'periodic_backup').execute();
  expect(jobs).toHaveLength(1);
  await answer(world, device, { state: 'failed', code: 1, message: 'no space' });
  const notices = await world.ctx.db.selectFrom('notices').select(['kind', 'user_id']).execute();
  expect(notices.filter(({ kind }) => kind.startsWith('job'))).toEqual([{ kind: 'jobFailed', user_id: admin.user.id }]);
});

test('a rule reaches the devices with its tag, or those named, of its company and below: never others', async () => {
  const [child, stranger] = [await makeCompany(world, { parent: company }), await makeCompany(world)];
  const tag = await makeTag(world, { company });
  const devices = [
    await makeDevice(world, { company, tags: [tag] }),
    await makeDevice(world, { company: child, tags: [tag] }),
    await makeDevice(world, { company }),
    await makeDevice(world, { company: stranger, tags: [tag] }),
  ];
  const tagged = await admin.post('/backup-rules', rule({ applies_to: 'tag', tag_ids: [tag.id] }));
  await runWhenDue(tagged.data.id);
  const reached = () => new Set(world.commands.map(({ deviceKey }) => devices.findIndex((device) => device.device_key === deviceKey)));
  expect(reached()).toEqual(new Set([0, 1]));
  admin = await as(world, 'admin', { company });
  const foreign = await admin.post('/backup-rules', rule({ applies_to: 'device', device_ids: [devices[2]?.id, devices[3]?.id] }));
  expect(foreign.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'device_ids.1' }]);
  const own = await admin.post('/backup-rules', rule({ applies_to: 'device', device_ids: [devices[2]?.id] }));
  await runWhenDue(own.data.id);
  expect(reached().has(2)).toBe(true);
  expect(reached().has(3)).toBe(false);
});

test('rules of other companies are as unknown as none; a person who lost the right starts nothing any more', async () => {
  await makeDevice(world, { company });
  const { data } = await admin.post('/backup-rules', rule());
  const other = await as(world, 'admin', { company: await makeCompany(world) });
  const calls = [
    other.get(`/backup-rules/${data.id}`),
    other.put(`/backup-rules/${data.id}`, rule()),
    other.delete(`/backup-rules/${data.id}`),
  ];
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await other.get('/backup-rules')).meta['total']).toBe(0);
  expect((await admin.put(`/backup-rules/${data.id}`, rule({ timezone: 'Mars/Olympus' }))).errors).toMatchObject([{ source: 'timezone' }]);
  expect((await (await as(world, 'end_user', { company })).post('/backup-rules', rule())).status).toBe(403);
  await world.ctx.db.updateTable('memberships').set({ role_id: 4 }).where('user_id', '=', admin.user.id).execute();
  await runWhenDue(data.id);
  expect(world.commands).toEqual([]);
  const kept = await world.ctx.db
    .selectFrom('backup_rules')
    .select(['next_at', 'last_at'])
    .where('id', '=', data.id)
    .executeTakeFirstOrThrow();
  expect((kept.next_at ?? 0) - (kept.last_at ?? 0)).toBeLessThan(DAY + HOUR);
});

test('a rule that is switched off is not run', async () => {
  const { data } = await admin.post('/backup-rules', rule({ is_active: false }));
  expect((await admin.get(`/backup-rules/${data.id}`)).data).toMatchObject({ is_active: false, next_at: null });
});
