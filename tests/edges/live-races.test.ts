import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type * as Authentication from '../../server/kernel/auth/authenticate.ts';
import type * as Channels from '../../server/kernel/live/channels.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';

/** What happens between a look at the rights and its answer, once. */
const meanwhile = vi.hoisted(
  () => ({ rights: undefined, channel: undefined }) as Record<'rights' | 'channel', (() => Promise<unknown>) | undefined>,
);

vi.mock('../../server/kernel/auth/authenticate.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Authentication>();
  const authenticateUpgrade: typeof real.authenticateUpgrade = async (...given) => {
    const actor = await real.authenticateUpgrade(...given);
    const { rights } = meanwhile;
    meanwhile.rights = undefined;
    await rights?.();
    return actor;
  };
  return { ...real, authenticateUpgrade };
});
vi.mock('../../server/kernel/live/channels.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Channels>();
  const audienceFor: typeof real.audienceFor = async (...given) => {
    const audience = await real.audienceFor(...given);
    const { channel } = meanwhile;
    meanwhile.channel = undefined;
    await channel?.();
    return audience;
  };
  return { ...real, audienceFor };
});

// Files share their modules: here they are loaded again with two of them replaced, and once more afterwards.
vi.resetModules();
const { openAs, startLiveWorld } = await import('./live-console.ts');
afterAll(() => void vi.resetModules());

const { world, tree } = await startLiveWorld();
const root = await as(world, 'super_admin', { company: tree.top });
afterEach(() => void Object.assign(meanwhile, { rights: undefined, channel: undefined }));

describe('what happens while rights are looked up [WS2]', () => {
  test('a connection that was being let in when its role lost a right is closed [WS2 AC5]', async () => {
    const role = await makeRole(world, { company: tree.middle, permissions: ['view_devices', 'view_tags'] });
    const person = await as(world, role, { company: tree.middle });
    meanwhile.rights = () => root.put(`/roles/${role.id}`, { title: 'Less', permission_id: [] });
    using console = await openAs(world, person);
    await until('the end', () => !console.socket.connected);
    using again = await openAs(world, person);
    expect(await again.follow(`companies.${tree.middle.id}.devices`)).toBe(false);
  });

  test('a device that goes to another company while somebody begins to follow it is not followed [WS2 AC6]', async () => {
    const device = await makeDevice(world, { company: tree.middle });
    using console = await openAs(world, await as(world, 'admin', { company: tree.middle }));
    meanwhile.channel = async () => {
      await world.ctx.db.updateTable('devices').set({ company_id: tree.sibling.id }).where('id', '=', device.id).execute();
      await world.ctx.live.recheck(`devices.${device.id}.events`);
    };
    expect(await console.follow(`devices.${device.id}.events`)).toBe(false);
  });

  test('of sixty channels that are asked for at once, fifty are followed [WS3]', async () => {
    using console = await openAs(world, root);
    const companies = await Promise.all(Array.from({ length: 12 }, () => makeCompany(world)));
    for (const { id } of companies)
      for (const kind of ['devices', 'companies', 'tags', 'users', 'files']) console.socket.emit('subscribe', `companies.${id}.${kind}`);
    await until('all answers', () => console.of('subscribed').length + console.of('subscription_error').length === 60);
    expect(console.of('subscribed')).toHaveLength(50);
  });

  test('parts of the console that a theme hides are not followed any more [WS2]', async () => {
    const person = await as(world, 'admin', { company: tree.middle });
    const channel = `companies.${tree.middle.id}.tags`;
    using console = await openAs(world, person);
    using elsewhere = await openAs(world, await as(world, 'admin', { company: tree.foreign }));
    expect(await console.follow(channel)).toBe(true);
    expect((await root.put(`/themes/${tree.top.id}`, { disabled_routes: ['tags'] })).codes).toEqual([]);
    await until('the end', () => !console.socket.connected);
    expect(elsewhere.socket.connected).toBe(true);
    using again = await openAs(world, person);
    expect(await again.follow(channel)).toBe(false);
  });
});
