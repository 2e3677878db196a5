import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

const MEGABYTE = 1024 * 1024;
/** Unix seconds of a device whose clock was never set. */
const NEVER_SET = 86_400;

/** Waits until more can be written, or nothing any more. */
const roomIn = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });

describe('a device whose clock shows 1970', () => {
  test('is drawn, listed and located at the times at which its reports arrived', async () => {
    const { world, say } = await makeReportingWorld();
    await using _end = world;
    const company = await makeCompany(world);
    const device = await makeDevice(world, { company, status: 1 });
    const arrivals: number[] = [];
    for (const load5 of [1, 2, 3]) {
      arrivals.push(Math.floor(world.clock.now() / 1000));
      await say(device, 'telemetry', { at: NEVER_SET, values: { load5 } });
      await say(device, 'details', { position: { lat: 60 + load5, lon: 5, at: NEVER_SET } });
      await say(device, 'log', { level: 'error', message: `fault ${load5}`, at: NEVER_SET });
      await world.clock.advance(6 * MINUTE);
    }
    const admin = await as(world, 'admin', { company });
    const { series } = (await admin.get(`/devices/${device.id}/series`, { metrics: 'load5' })).data;
    expect(series[0].points.map(([, average]: number[]) => average)).toEqual([1, 2, 3]);
    series[0].points.forEach(([at]: number[], index: number) =>
      expect(Math.abs((at ?? 0) - (arrivals[index] ?? 0))).toBeLessThanOrEqual(300),
    );
    const places = (await admin.get(`/devices/${device.id}/locations/history`)).data;
    expect(places.map(({ latitude }: { latitude: number }) => latitude).toSorted()).toEqual([61, 62, 63]);
    for (const { created_at } of places) expect(created_at).toMatch(/^2026/);
    const { data } = await admin.get(`/devices/${device.id}/timeline`, { kinds: 'event' });
    expect(JSON.stringify(data)).not.toContain('1970');
    expect(JSON.stringify(data).match(/fault \d/g)).toEqual(['fault 3', 'fault 2', 'fault 1']);
  });
});

describe('a device that answers with far too much [IN4]', () => {
  test('a log of 500 MB is refused at 80 MB while it comes; nothing of it is kept or held in memory, and the command fails in time [IN4]', async () => {
    await using world = await makeWorld({ listen: true });
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const device = await makeDevice(world, { company, status: 1 });
    const started = await admin.post('/devices/actions', { action: 'download_eventslog', device_id: [device.id] });
    await world.ctx.jobs.settled();
    const command = world.commands.at(-1)?.command.id;
    const authorization = `Basic ${Buffer.from(`${device.device_key}:secret`).toString('base64')}`;
    const head = multipartBody([{ name: 'file', text: '', fileName: 'log.txt' }]).subarray(0, -'\r\n--canopy-test--\r\n'.length);
    const headers = multipartHeaders({ authorization, 'content-length': String(500 * MEGABYTE) });
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    let said = '';
    let isEnded = false;
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
    socket.on('error', () => (isEnded = true));
    socket.on('close', () => (isEnded = true));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`).join(''); // prettier-ignore
    socket.write(`POST /api/device-files/${command} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`);
    socket.write(head);
    const before = process.memoryUsage().rss;
    let most = before;
    const block = Buffer.alloc(MEGABYTE, 'x');
    let sent = 0;
    for (; sent < 500 && !socket.destroyed && !said.includes('HTTP/1.1'); sent += 1) {
      const isFull = !socket.write(block);
      // oxlint-disable-next-line no-await-in-loop -- Each block waits for room.
      if (isFull) await roomIn(socket);
      most = Math.max(most, process.memoryUsage().rss);
    }
    await until('it is refused', () => isEnded || said.includes('HTTP/1.1'));
    expect(said === '' || said.startsWith('HTTP/1.1 413')).toBe(true);
    expect(sent).toBeLessThan(200);
    expect((most - before) / MEGABYTE).toBeLessThan(100);
    socket.destroy();
    expect((await admin.get('/files')).data).toEqual([]);
    await world.clock.advance(30 * MINUTE);
    await world.ctx.jobs.settled();
    const later = await as(world, 'admin', { company });
    const [target] = (await later.get(`/jobs/${started.meta['job_id'] ?? 1}/targets`)).data;
    expect(target).toMatchObject({ state: 'timed-out', file_id: null });
  });
});

describe('a file of the wrong type', () => {
  test('is neither flashed nor restored: it is refused at its field, and no command is sent', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const device = await makeDevice(world, { company, model: 'RUTX50', firmware: 'RUTX_R_00.07.10', status: 1 });
    const settings = Number((await upload(world, admin, company, 'settings', 'a.cfg', 'config')).meta['id']);
    const image = Number((await upload(world, admin, company, 'image', 'RUTX_R_00.07.14_WEBUI.bin', 'firmware')).meta['id']);
    const flash = { source: 'file', file_id: settings, keep_settings: true, back_within: 15, device_id: [device.id] };
    expect(await admin.post('/devices/updates/firmware', flash)).toMatchObject({ status: 404, errors: [{ source: 'file_id' }] });
    const data = [{ id: device.id, action: 'upload_backup', file_id: image, offline: false }];
    expect(await admin.post('/devices/updates/set', { data })).toMatchObject({ status: 404, errors: [{ source: 'data.0.file_id' }] });
    await world.ctx.jobs.settled();
    expect(world.commands).toEqual([]);
  });
});
