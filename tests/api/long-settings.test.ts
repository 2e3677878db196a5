import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

const LINES = Array.from({ length: 2000 }, (_, i) => `network.lan${i}=interface\nnetwork.lan${i}.ipaddr='10.0.${i % 256}.1'\n`).join('');
const packed = (text: string | Buffer): string => gzipSync(text).toString('base64');

async function place() {
  const { world, say } = await makeReportingWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2', status: 1 });
  /** Reads the settings; the device answers this. */
  const read = async (answered: object) => {
    const { meta } = await admin.post('/devices/configurator/read', { device_id: [device.id] });
    await world.ctx.jobs.settled();
    const id = world.commands.at(-1)?.command.id;
    await say(device, 'result', { id, state: 'ok', code: 0, message: 'Settings read', ...answered });
    await world.ctx.jobs.settled();
    return (await admin.get(`/jobs/${meta['job_id']}/targets`)).data[0];
  };
  const interfaces = async () => {
    const { data } = await admin.post('/devices/configurator/values', { device_id: [device.id] });
    return data[0].settings?.network?.length;
  };
  return { read, interfaces, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('settings that are longer than a message are taken whole; the job keeps their beginning and says so', async () => {
  await using at = await place();
  const target = await at.read({ output: '', packed: packed(LINES) });
  expect(LINES.length).toBeGreaterThan(64 * 1024);
  expect([target.state, target.output.length, target.truncated]).toEqual(['ok', 64 * 1024, true]);
  expect(await at.interfaces()).toBe(2000);
});

test('settings that were cut, cannot be unpacked or unpack to too much fail, and the former ones stay', async () => {
  await using at = await place();
  await at.read({ output: LINES.slice(0, 1000) });
  const before = await at.interfaces();
  for (const answered of [
    { output: LINES.slice(0, 60_000), truncated: true },
    { output: '', packed: 'H4sIAAAAAAAAA' },
    { output: '', packed: packed(Buffer.alloc(50 * 1024 * 1024, 'a')) },
  ])
    expect(await at.read(answered)).toMatchObject({ state: 'failed', message: expect.stringMatching(/^The answer was cut/) });
  expect(before).toBeGreaterThan(0);
  expect(await at.interfaces()).toBe(before);
});
