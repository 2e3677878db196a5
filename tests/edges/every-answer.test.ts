import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeFile, makeTree } from '../helpers/factories.ts';
import { expectSafeHeaders } from '../helpers/safe-headers.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld({ listen: true });
const { top } = await makeTree(world);
const admin = await as(world, 'super_admin', { company: top });
const file = await makeFile(world, { company: top, content: '0123456789' });
const device = await makeDevice(world, { company: top });
afterAll(() => world[Symbol.asyncDispose]());

const JSON_TYPE = { 'content-type': 'application/json' };
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${world.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { ...admin.headers, connection: 'close', ...(init.headers as Record<string, string>) },
  });
const post = (path: string, body: unknown) => call(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });

const answers: Record<string, [status: number, make: () => Promise<Response>]> = {
  'a file': [200, () => call(`/api/files/${file.id}/download`)],
  'a part of a file': [206, () => call(`/api/files/${file.id}/download`, { headers: { range: 'bytes=2-4' } })],
  'a part that is not there': [416, () => call(`/api/files/${file.id}/download`, { headers: { range: 'bytes=99-' } })],
  'a file that is known': [304, () => call(`/api/files/${file.id}/download`, { headers: { 'if-none-match': `"${file.sha256}"` } })],
  'a ZIP': [200, () => post('/api/files/download/zip', { files: [file.id] })],
  'a list as CSV': [200, () => call('/api/devices/export/csv')],
  'the history as lines': [200, () => call('/api/history/export')],
  'only the head': [200, () => call('/api/user', { method: 'HEAD' })],
  'something made': [201, () => post('/api/tags', { name: 'quay', company_id: top.id })],
  'a part that failed': [
    207,
    () =>
      call('/api/users/status', {
        method: 'PUT',
        body: JSON.stringify({ disabled: true, members: [{ id: admin.user.id }, { id: 987_654 }] }),
        headers: JSON_TYPE,
      }),
  ],
  'an upload without parts': [
    400,
    () => call('/api/files', { method: 'POST', body: '--x--\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
  ],
  'too many guesses': [
    429,
    async () => {
      for (let round = 0; round < 200; round += 1) {
        const answer = await fetch(`${world.url}/api/account/login`, {
          method: 'POST',
          body: JSON.stringify({ email: 'nobody@example.org', password: 'guess' }),
          headers: { ...JSON_TYPE, origin: world.url },
        });
        if (answer.status === 429) return answer;
        await answer.arrayBuffer();
      }
      throw new Error('guessing is never stopped');
    },
  ],
  'the live channel without an upgrade': [400, () => call('/status/socket.io/?EIO=4&transport=polling')],
  'the live channel by a wrong protocol': [400, () => call('/status/socket.io/?EIO=3&transport=websocket')],
  'a device that may not join': [403, () => post('/api/enrol', { code: 'WRONG', serial: device.serial, mac: device.mac })],
};

describe('every kind of answer [OP3]', () => {
  test.each(Object.keys(answers))('%s carries the security headers [OP3]', async (name) => {
    const [status, make] = answers[name] ?? [0, () => Promise.reject(new Error(name))];
    const answer = await make();
    await answer.arrayBuffer();
    expect(answer.status).toBe(status);
    expectSafeHeaders(name, Object.fromEntries(answer.headers));
  });

  test('nobody is shown how the server is made or how it does, but that it is up [OP4]', async () => {
    const places = [
      '/metrics',
      '/docs',
      '/api/docs',
      '/api/docs/json',
      '/debug',
      '/status',
      '/.env',
      '/.git/config',
      '/api/system/mailbox',
    ];
    const statuses = await Promise.all(places.map(async (path) => [path, (await fetch(`${world.url}${path}`)).status] as const));
    for (const [path, status] of statuses) expect([path, [401, 404].includes(status)]).toEqual([path, true]);
    expect(await (await fetch(`${world.url}/health`)).json()).toEqual({ success: true, data: { status: 'ok' } });
  });

  test('bytes that are no request are answered with them too [OP3]', async () => {
    const { port } = new URL(world.url);
    const text = await new Promise<string>((resolve) => {
      let said = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
      socket.on('close', () => resolve(said));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    const headers = text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(': ');
      return at < 0 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 2)] as const];
    });
    expectSafeHeaders('no request', Object.fromEntries(headers));
  });
});
