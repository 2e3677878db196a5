import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld } from '../helpers/world.ts';

const BASE = '/devices/configurator';

test('a document of any API is read: forms are made of what they can show, and the rest is named with its reason', async () => {
  await using world = await makeWorld();
  const root = await as(world, 'super_admin');
  const uci = { config: 'wireless', type: 'wifi-iface' };
  const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
  const schemas = {
    named: { type: 'object', properties: { ssid: { type: 'string', description: 'The name that phones see' } } },
    radio: {
      allOf: [{ $ref: '#/components/schemas/named' }],
      properties: {
        channel: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
        macs: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
        radius: { type: 'object', properties: { host: { type: 'string' } } },
        vlans: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        'rates.basic': { type: 'string' },
        mac: { type: 'string', readOnly: true },
      },
    },
    tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/tree' } } },
  };
  const document = {
    openapi: '3.1.0',
    components: { schemas },
    paths: {
      '/wifi/config/{id}': { 'x-uci': uci, put: body({ $ref: '#/components/schemas/radio' }) },
      '/trees/config/{id}': { 'x-uci': uci, put: body({ $ref: '#/components/schemas/tree' }) },
      '/api/v2/networks/{networkId}/wireless': { put: body({ $ref: '#/components/schemas/radio' }) },
      '/status': { get: {} },
    },
  };
  const answer = await sendParts(world, root, `${BASE}/specifications`, [
    { name: 'system', text: 'tswos' },
    { name: 'overwrite', text: 'true' },
    filePart(JSON.stringify(document), 'tswos.json'),
  ]);
  expect(answer.status).toBe(201);
  const inWifi = (at: string) => `/paths/wifi/config/{id}/properties/${at}`;
  expect(answer.data).toMatchObject({
    sections: 1,
    left_out: [
      { at: inWifi('macs'), reason: 'choice' },
      { at: inWifi('radius'), reason: 'nested' },
      { at: inWifi('vlans'), reason: 'list' },
      { at: inWifi('rates.basic'), reason: 'name' },
      { at: '/paths/trees/config/{id}/properties/next', reason: 'nested' },
      { at: '/paths/trees/config/{id}', reason: 'empty' },
      { at: '/paths/api/v2/networks/{networkId}/wireless', reason: 'unknown' },
    ],
    left_out_count: 7,
  });
  const { data } = await root.get(`${BASE}/documents/tswos`);
  expect(data.sections).toMatchObject([
    {
      id: 'wifi',
      help: { ssid: { en: 'The name that phones see' } },
      schema: { properties: { ssid: { type: 'string' }, channel: { type: 'integer', minimum: 1 } } },
    },
  ]);
});
