import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { filePart, multipartBody, multipartHeaders, type Part } from '../helpers/multipart.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld({ listen: true });
const { top } = await makeTree(world);
const admin = await as(world, 'admin', { company: top });
afterAll(() => world[Symbol.asyncDispose]());

const MEGABYTE = 1024 * 1024;
const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** One connection, as programs and proxies keep it for many calls. */
function openConnection(): { socket: Socket; statuses(): string[]; isEnded(): boolean; [Symbol.dispose](): void } {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  let said = '';
  let isEnded = false;
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isEnded = true));
  return {
    socket,
    statuses: () => [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status),
    isEnded: () => isEnded,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function uploadCall(method: string, path: string, length: number): string {
  const headers = multipartHeaders({ ...admin.headers, 'content-length': String(length) });
  return `${method} /api${path} HTTP/1.1\r\nhost: x\r\n${lines(headers)}\r\n`;
}

describe('the connection of a refused upload [FT10]', () => {
  test.each<[string, string, string, string, Part[]]>([
    ['a picture that is too large', '413', 'PUT', '/account/avatar', [filePart(Buffer.alloc(900_000), 'a.png')]],
    ['3,000 parts', '400', 'POST', '/files', Array.from({ length: 3000 }, (_, index) => ({ name: `x${index}`, text: '1'.repeat(1000) }))],
    ['a field that is not known', '400', 'POST', '/files', [{ name: 'other', text: Buffer.alloc(5 * MEGABYTE), fileName: 'a.cfg' }]],
  ])('%s: takes the next call at once [FT10]', async (_what, status, method, path, parts) => {
    using connection = openConnection();
    const body = multipartBody(parts);
    connection.socket.write(uploadCall(method, path, body.length));
    connection.socket.write(body);
    await until('the refusal', () => connection.statuses()[0]);
    connection.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    await until('the answer of the next call', () => connection.statuses()[1]);
    expect(connection.statuses()).toEqual([status, '200']);
  });

  test('a body with very much more to come is answered, and the connection ends [FT10]', async () => {
    using connection = openConnection();
    const head = multipartBody([{ name: 'other', text: '', fileName: 'a.cfg' }]).subarray(0, -'\r\n--canopy-test--\r\n'.length);
    connection.socket.write(uploadCall('POST', '/files', 70 * MEGABYTE));
    connection.socket.write(head);
    connection.socket.write(Buffer.alloc(20 * MEGABYTE));
    await until('the end', () => connection.isEnded());
    expect(connection.statuses()).toEqual(['400']);
  });
});
