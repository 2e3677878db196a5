import { beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { API_DOCUMENT } from '../helpers/api-document.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const channel = recordingChannel();
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let root: Caller;

const uploadDocument = (text: string, system = 'rutos') =>
  sendParts(world, root, '/devices/configurator/specifications', [
    { name: 'system', text: system },
    { name: 'overwrite', text: 'true' },
    filePart(text, `${system}.json`),
  ]);
const sources = (query: Record<string, string> = {}) => admin.get('/data-collect/sources', query);

beforeAll(async () => {
  world = await makeWorld({ parts: { devices: async () => channel } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  root = await as(world, 'super_admin');
  return () => world[Symbol.asyncDispose]();
});

describe('the addresses that an API document describes', () => {
  test('are those that can be read without a choice, with the members of their answers, their types and what is said of them', async () => {
    expect((await sources()).data).toEqual([]);
    expect((await uploadDocument(API_DOCUMENT)).status).toBe(201);
    expect((await sources()).data).toEqual([
      { system: 'rutos', url: '/api/modems/status', title: 'Status of the modems' },
      { system: 'rutos', url: '/api/no/words', title: '' },
      { system: 'rutos', url: '/api/system/device/status', title: 'The device' },
    ]);
    const { data } = await sources({ system: 'rutos', url: '/modems/status' });
    const modem = [
      { name: 'rsrp', path: '$.data[0].rsrp', type: 'number', help: 'Reference signal power, in dBm' },
      { name: 'operator', path: '$.data[0].operator', type: 'string' },
      { name: 'bands', path: '$.data[0].bands', children: [{ name: '[0]', path: '$.data[0].bands[0]', type: 'string' }] },
    ];
    expect(data).toMatchObject([
      {
        url: '/api/modems/status',
        nodes: [
          { name: 'success', path: '$.success', type: 'boolean' },
          { name: 'data', path: '$.data', children: [{ name: '[0]', path: '$.data[0]', children: modem }] },
        ],
      },
    ]);
    expect((await sources({ system: 'tswos', url: '/modems/status' })).status).toBe(404);
  });

  test('end where a description leads back to itself', async () => {
    await uploadDocument(API_DOCUMENT);
    const { data } = await sources({ system: 'rutos', url: '/api/system/device/status' });
    const text = JSON.stringify(data);
    expect(text).toContain('$.data.parent.model');
    expect(text.length).toBeLessThan(5000);
  });

  test('are replaced with the document', async () => {
    await uploadDocument(API_DOCUMENT, 'tswos');
    await uploadDocument(JSON.stringify({ paths: { '/ports/status': { get: { responses: { 200: {} } } } } }), 'tswos');
    const { data } = await sources();
    expect(data.filter((one: { system: string }) => one.system === 'tswos')).toMatchObject([{ url: '/api/ports/status' }]);
  });
});

describe('an address of the router’s own API without /api', () => {
  test('is the same source to the device, and is read back as it was written', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const variables = [{ id: 'rsrp', filter: '$.data[0].rsrp', type: 'number' }];
    const { data } = await admin.post('/data-collect/configs', { name: 'Bare', period: 300, data: [{ url: '/modems/status', variables }] });
    await admin.put(`/data-collect/configs/${data.id}/assign`, { device_id: [device.id], period: 300, enabled: true });
    expect(channel.commands.at(-1)?.command).toMatchObject({ body: `template=${data.id} 1 300\nsource=api /modems/status\n` });
    expect((await admin.get(`/data-collect/configs/${data.id}`)).data.data[0].url).toBe('/modems/status');
    const payload = { template: data.id, version: 1, at: 1, sources: [{ code: 0, output: '{"data":[{"rsrp":-91}]}' }] };
    await channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic: 'collected', payload } }]);
    for (const url of ['/modems/status', '/api/modems/status'])
      expect((await admin.get('/data-collect/data/graph', { field: `${data.id}:${url}:rsrp` })).data).toEqual({ rsrp: { '-91': 1 } });
    expect((await admin.post('/data-collect/test', { url: '/modems/status', device_id: [device.id] })).status).toBe(200);
  });

  test('is not the folder of a file that was meant', async () => {
    const variables = [{ id: 'load', filter: '$.lines[0][0]', type: 'number' }];
    for (const url of ['/proc/loadavg', '/etc/passwd', '/modems/../status']) {
      const { errors } = await admin.post('/data-collect/configs', { name: 'Wrong', period: 300, data: [{ url, variables }] });
      expect([url, errors[0]?.source]).toEqual([url, 'data.0.url']);
    }
  });
});
