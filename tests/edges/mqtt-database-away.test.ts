import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { connect, join, newIdentity } from '../helpers/mqtt-device.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** How often messages could not be written. */
const refusals = (world: World): number => world.log().split('could not be written').length - 1;

describe('a database that takes no writes for now', () => {
  test('what a device says meanwhile is not acknowledged, waits, and is written once when the database is back [FT6]', async () => {
    await using world = await makeWorld({ listen: true, broker: true });
    const company = await makeCompany(world);
    const { code } = await makeEnrolmentCode(world, { company });
    const identity = newIdentity();
    await using device = await connect(await join(world.url, code, identity), identity);
    const lock = new DatabaseSync(world.ctx.database.file ?? '');
    const acknowledged: string[] = [];
    const say = (topic: 'hello' | 'status', sent: Promise<void>) => sent.then(() => void acknowledged.push(topic));

    lock.exec('BEGIN IMMEDIATE');
    const hello = say('hello', device.hello());
    await until('the hello was refused twice', () => refusals(world) >= 2);
    const status = say('status', device.say('status', { signal: -71, uptime: 60 }));
    await until('and once more with the report behind it', () => refusals(world) >= 4);
    expect(acknowledged).toEqual([]);
    lock.exec('ROLLBACK');
    lock.close();

    await Promise.all([hello, status]);
    expect(acknowledged).toEqual(['hello', 'status']);
    const row = await world.ctx.db.selectFrom('devices').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 1, boot_id: 'boot-1', signal: -71 });
    const samples = await world.ctx.db.selectFrom('device_samples').select('metric').execute();
    expect(samples.map(({ metric }) => metric).toSorted()).toEqual(['router_uptime', 'signal']);
    const events = await world.ctx.db.selectFrom('device_events').select('type').orderBy('id').execute();
    expect(events.map(({ type }) => type)).toEqual(['activated', 'connected']);
  });
});
