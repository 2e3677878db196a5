import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerCompression } from './compression.ts';

test('long answers are compressed, downloads keep their length', async () => {
  const app = fastify();
  await registerCompression(app);
  const bytes = Buffer.alloc(20_000, 'a');
  app.get('/file', (_request, reply) =>
    reply
      .type('application/octet-stream')
      .header('content-length', String(bytes.length))
      .send(Readable.from([bytes])),
  );
  app.get('/data', () => ({ text: bytes.toString() }));
  const ask = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
  const file = await ask('/file');
  expect(file.headers).toMatchObject({ 'content-length': '20000' });
  expect(file.headers).not.toHaveProperty('content-encoding');
  expect(file.rawPayload).toEqual(bytes);
  expect((await ask('/data')).headers).toMatchObject({ 'content-encoding': 'br' });
  await app.close();
});
