import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { as, send } from '../helpers/as.ts';
import { multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { makeWorld } from '../helpers/world.ts';

const MEGABYTE = 1024 * 1024;
const signIn = JSON.stringify({ email: 'kari@example.org', password: 'correct horse battery' });

test.each([
  ['br', brotliCompressSync(Buffer.alloc(64 * MEGABYTE, ' '))],
  ['gzip', gzipSync(signIn)],
  ['deflate', deflateSync(signIn)],
  ['gzip, gzip', gzipSync(gzipSync(signIn))],
  ['identity, gzip', gzipSync(signIn)],
  ['gzip', Buffer.from('this is no gzip')],
  ['zstd', Buffer.from(signIn)],
  ['x-unknown', Buffer.from(signIn)],
])('a body with the content encoding %s is refused unread, from every sender [IN4]', async (encoding, body) => {
  await using world = await makeWorld();
  const origin = { origin: world.ctx.publicUrl() };
  const caller = await as(world, 'super_admin');
  const answers = [
    await send(world, 'POST', '/account/login', { body, headers: { ...origin, 'content-encoding': encoding } }),
    await send(world, 'POST', '/enrol', { body, headers: { 'content-encoding': encoding } }),
    await caller.post('/tags', body, { 'content-encoding': encoding }),
    await caller.post('/files', body, multipartHeaders({ 'content-encoding': encoding })),
  ];
  for (const { status, codes, headers } of answers)
    expect([status, codes, headers['accept-encoding']]).toEqual([415, ['UNSUPPORTED_CONTENT_ENCODING'], 'identity']);
  expect(world.log()).toBe('');
});

test('a body that says it is not compressed is read [IN4]', async () => {
  await using world = await makeWorld();
  const caller = await as(world, 'admin');
  const plain = { 'content-encoding': 'Identity' };
  expect((await caller.post('/tags', { name: 'north', company_id: caller.user.company_id }, plain)).status).toBe(201);
  const parts = multipartBody([{ name: 'company_id', text: String(caller.user.company_id) }]);
  expect((await caller.post('/files', parts, multipartHeaders(plain))).status).toBe(400);
});
