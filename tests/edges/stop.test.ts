import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answer = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
  socket.destroy();
  return answer;
}

test('asked to stop, the server still does the call that is under way, is held up by no idle connection, and ends with 0 [FT6]', async () => {
  await using server = await startServerProcess();
  const { port, origin } = new URL(server.url);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { first_name: 'Ingrid', last_name: 'Lund', email: 'ingrid@nordic.example', password: 'correct horse battery' };
  const body = JSON.stringify({ token, company_name: 'Nordic Fleet', ...person });
  const idle = [Number(port), server.mqttPort].map((to) => connect(to, '127.0.0.1'));
  for (const socket of idle) socket.on('error', () => undefined);
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  const call = connect(Number(port), '127.0.0.1');
  let answer = '';
  call.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const head = `POST /api/set-up HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${origin}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  call.write(`${head}expect: 100-continue\r\n\r\n`);
  await until('the call is under way', () => answer.includes('100 Continue'));
  const code = server.stop();
  await until('no more calls are taken', async () => !(await isOpen(Number(port))));
  call.write(body);
  await until('the answer', () => /HTTP\/1\.1 \d{3} (?!Continue)/.test(answer));
  expect(/HTTP\/1\.1 (\d{3}) (?!Continue)/.exec(answer)?.[1]).toBe('200');
  expect(await code).toBe(0);
  await server.start();
  const { data } = (await (await fetch(`${server.url}/api/set-up`)).json()) as { data: { needed: boolean } };
  expect(data.needed).toBe(false);
});
