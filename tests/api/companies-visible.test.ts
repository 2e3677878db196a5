import { describe, expect, test } from 'vitest';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { makeDevice, makeFile, makeTree, makeUser } from '../helpers/factories.ts';
import { startJob } from '../helpers/jobs.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const CHANGES = {
  'a move': (admin: Caller, { bottom, sibling }: Tree) => admin.post('/companies/move', { source: bottom.id, target: sibling.id }),
  'a removal': (admin: Caller, { bottom }: Tree) => admin.delete(`/companies/${bottom.id}`),
};
type Tree = Awaited<ReturnType<typeof makeTree>>;

describe.each(Object.entries(CHANGES))('what the former companies keep after %s', (_name, change) => {
  async function place(world: World) {
    const tree = await makeTree(world);
    const admin = await as(world, 'admin', { company: tree.top });
    const former = await makeUser(world, { company: tree.middle });
    return { tree, admin, former };
  }

  test('addresses of downloads answer as if the file had never been [AC6]', async () => {
    await using world = await makeWorld();
    const { tree, admin, former } = await place(world);
    const file = await makeFile(world, { company: tree.bottom });
    const path = `/files/${file.id}/download`;
    expect((await (await asUser(world, former)).get(path)).status).toBe(200);
    expect((await change(admin, tree)).status).toBe(200);
    const again = await asUser(world, former);
    expect((await again.get(path)).text).toBe((await again.get('/files/987654/download')).text);
    expect((await again.post('/files/download/zip', { files: [file.id] })).status).toBe(404);
  });

  test('filters and selections that were kept find nothing of it, and a call with one of its devices does nothing [AC6]', async () => {
    await using world = await makeWorld();
    const { tree, admin, former } = await place(world);
    const gone = await makeDevice(world, { company: tree.bottom });
    const own = await makeDevice(world, { company: tree.middle });
    await change(admin, tree);
    const again = await asUser(world, former);
    expect((await again.get('/devices', { company_id: tree.bottom.id })).meta['total']).toBe(0);
    expect((await again.get('/devices', { id: gone.id })).data).toEqual([]);
    const refused = await startJob(world, again, '/devices/move', { company_id: tree.middle.id, device_id: [own.id, gone.id] });
    expect(refused.status).toBe(404);
    const rows = await world.ctx.db.selectFrom('devices').select(['id', 'company_id']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: gone.id, company_id: tree.bottom.id },
      { id: own.id, company_id: tree.middle.id },
    ]);
  });

  test('access tokens see it no more [AC6]', async () => {
    await using world = await makeWorld();
    const { tree, admin, former } = await place(world);
    const device = await makeDevice(world, { company: tree.bottom });
    const { secret } = await makeAccessToken(world, { user: former });
    const get = (path: string) => send(world, 'GET', path, { headers: { authorization: `Bearer ${secret}` } });
    expect((await get(`/devices/${device.id}`)).status).toBe(200);
    await change(admin, tree);
    expect((await get(`/devices/${device.id}`)).status).toBe(404);
    expect((await get('/devices')).meta['total']).toBe(0);
  });
});
