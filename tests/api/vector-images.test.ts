import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeFile, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="http://169.254.169.254/"/></svg>';

describe('vector images, which can hold scripts and addresses [IN2]', () => {
  test('a logo or icon of a theme is sandboxed, and comes back byte for byte: the server draws and fetches nothing [IN2]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    for (const field of ['logo_vector', 'favicon']) {
      const body = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="s.svg"\r\nContent-Type: text/html\r\n\r\n${SVG}\r\n--x--\r\n`;
      expect((await admin.put(`/themes/${top.id}`, body, { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(200);
      const address: string = (await admin.get('/user')).data.theme[field];
      const picture = await world.app.fastify.inject({ url: address });
      expect(picture.body).toBe(SVG);
      expect(picture.headers).toMatchObject({
        'content-type': 'image/svg+xml',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'content-disposition': 'attachment',
      });
    }
  });

  test('an uploaded drawing is something to save, and is looked into as text [IN2]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, name: 'plan.svg', content: SVG });
    const admin = await as(world, 'admin', { company: top });
    const answer = await world.app.fastify.inject({ url: `/api/files/${file.id}/download`, headers: admin.headers });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
    expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
    expect((await admin.get(`/files/${file.id}/preview`)).data).toMatchObject({ kind: 'text', text: SVG });
  });
});
