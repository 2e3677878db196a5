import { describe, expect, test } from 'vitest';
import type { TargetState } from '../../server/db/schema.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeDevice, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const reboot = (devices: { id: number }[]) => ({ action: 'reboot', device_id: devices.map((device) => device.id) });

describe('rights at the time of running [BL2]', () => {
  async function waiting() {
    const world = await makeWorld();
    const company = await makeCompany(world);
    const devices = [await makeDevice(world, { company }), await makeDevice(world, { company })];
    const user = await makeUser(world, { company, role: 'admin' });
    const { id } = await world.ctx.db
      .insertInto('jobs')
      .values({
        kind: 'reboot',
        input: '{}',
        state: 'queued',
        total: 2,
        counts: '{}',
        created_by: user.id,
        user_name: user.username,
        company_id: company.id,
        reach_path: company.path,
        is_one_company: 1,
        origin: JSON.stringify({ ip: '', requestId: '', userAgent: '' }),
        deadline_at: world.clock.now() + DAY,
        created_at: world.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await world.ctx.db
      .insertInto('job_targets')
      .values(
        devices.map((device) => ({
          job_id: id,
          device_id: device.id,
          device_name: device.name,
          company_id: company.id,
          command_id: `c${device.id}`,
          state: 'queued' as const,
          truncated: 0 as const,
          attempts: 0,
        })),
      )
      .execute();
    const run = async (): Promise<TargetState[]> => {
      await world.clock.advance(1000);
      await world.ctx.jobs.settled();
      const rows = await world.ctx.db.selectFrom('job_targets').select('state').where('job_id', '=', id).orderBy('id').execute();
      return rows.map((row) => row.state);
    };
    return { world, devices, company, user, run, id };
  }

  test('a job of somebody who was disabled sends nothing more and says why [BL2]', async () => {
    const { world, user, run, id } = await waiting();
    await using _end = world;
    await changeMember(world, user, { disabled_at: 1 });
    expect(await run()).toEqual(['skipped', 'skipped']);
    expect(world.commands).toEqual([]);
    const job = await world.ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(job).toMatchObject({ state: 'finished', message: expect.stringContaining('no longer allowed') });
  });

  test('a device that left the scope meanwhile is skipped, the others run [BL2]', async () => {
    const { world, devices, run } = await waiting();
    await using _end = world;
    const elsewhere = await makeCompany(world);
    await world.ctx.db
      .updateTable('devices')
      .set({ company_id: elsewhere.id })
      .where('id', '=', devices[0]?.id ?? 0)
      .execute();
    expect(await run()).toEqual(['skipped', 'sent']);
    expect(world.commands.map((sent) => sent.deviceKey)).toEqual([devices[1]?.device_key]);
  });
});

describe('who sees a job [AC2]', () => {
  test('a job is seen by who sees all of its devices, and by nobody else [AC2]', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const own = await makeDevice(world, { company: tree.middle });
    const below = await makeDevice(world, { company: tree.bottom });
    const middle = await as(world, 'admin', { company: tree.middle });
    const wide = await middle.post('/devices/actions', reboot([own, below]));
    const narrow = await middle.post('/devices/commands', { command: 'x', timeout: 5, device_id: [own.id] });
    await world.ctx.jobs.settled();
    const ids = [narrow.meta['job_id'], wide.meta['job_id']];
    const seen = async (caller: Caller): Promise<unknown[]> => (await caller.get('/jobs')).data.map((job: { id: number }) => job.id);
    expect(await seen(await as(world, 'admin', { company: tree.top }))).toEqual(ids);
    expect(await seen(middle)).toEqual(ids);
    expect(await seen(await as(world, 'end_user', { company: tree.middle }))).toEqual([narrow.meta['job_id']]);
    for (const company of [tree.bottom, tree.sibling, tree.foreign]) {
      const stranger = await as(world, 'admin', { company });
      expect(await seen(stranger)).toEqual([]);
      const path = `/jobs/${String(wide.meta['job_id'])}`;
      const answers = [await stranger.get(path), await stranger.get(`${path}/targets`), await stranger.get(`${path}/export`)];
      answers.push(await stranger.post(`${path}/cancel`), await stranger.post(`${path}/retry`, {}));
      expect(answers.map((one) => one.status)).toEqual([404, 404, 404, 404, 404]);
    }
  });
});
