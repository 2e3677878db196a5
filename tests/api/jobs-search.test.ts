import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { startJob } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
beforeAll(async () => {
  world = await makeWorld();
  const { top, foreign } = await makeTree(world);
  admin = await as(world, 'super_admin', { company: top });
  const other = await as(world, 'admin', { company: foreign });
  for (const [caller, company] of [
    [admin, top],
    [other, foreign],
  ] as const) {
    const device = await makeDevice(world, { company, name: company === top ? 'Quay lamp' : 'Quay gate' });
    for (const command of ['uname -a', 'login --password hunter2'])
      await startJob(world, caller, '/devices/commands', { command, timeout: 10, device_id: [device.id] });
  }
  admin = await as(world, 'admin', { company: top });
});
afterAll(() => world[Symbol.asyncDispose]());

const found = async (q: string): Promise<string[]> => {
  const { data } = await admin.get('/jobs', { q });
  return data.map(({ input }: { input: { command: string } }) => input.command);
};

test('jobs are found by their command, in any case, and by the company; only those that one sees', async () => {
  expect(await found('UNAME')).toEqual(['uname -a']);
  expect(await found('Top')).toHaveLength(2);
  expect(await found('Foreign')).toEqual([]);
});

test('a secret in a command is not found by searching for it', async () => {
  expect(await found('hunter')).toEqual([]);
  expect(await found('login')).toEqual(['login --password ***']);
});

test('a job for one device says which, and is found by it; devices that one does not see find nothing', async () => {
  const { data } = await admin.get('/jobs');
  expect(data.map((job: { device_name: string }) => job.device_name)).toEqual(['Quay lamp', 'Quay lamp']);
  expect(await found('quay')).toHaveLength(2);
  expect(await found('lamp')).toHaveLength(2);
  expect(await found('gate')).toEqual([]);
});
