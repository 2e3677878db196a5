import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { as, send } from '../helpers/as.ts';
import { makeRole } from '../helpers/factories.ts';
import { anyPath } from '../helpers/route-samples.ts';
import { makeWorld } from '../helpers/world.ts';

/** Other spellings of an address, some of which a careless server would take for the same. */
function spellingsOf(path: string): string[] {
  const below = path.slice('/api'.length);
  return [
    `/${path}`,
    `//api/${below}`,
    `/api/.${below}`,
    `/api/./${below}`,
    `/api/x/..${below}`,
    `/api/x/%2e%2e${below}`,
    `/api/x/..%2f${below.slice(1)}`,
    `/health/..${path}`,
    `/health/%2e%2e${path}`,
    `/health/..%2f${path.slice(1)}`,
    `/api%2f${below.slice(1)}`,
    `/%61pi${below}`,
    `/API${below}`,
    path.toUpperCase(),
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path};x=1`,
    `${path}%3bx`,
    `${path}%00`,
    `${path}%2500`,
    `${path}?`,
    `${path}#x`,
    `${path}.json`,
    `${path}%20`,
    `${path}\\..\\health`,
  ];
}

describe('addresses', () => {
  test('no other spelling of an address gets further than the plain one [IN5]', async () => {
    await using world = await makeWorld();
    const powerless = await as(world, await makeRole(world));
    const guarded = world.app.routes.filter((info) => typeof info.access !== 'string' && info.method === 'GET');
    expect(guarded.length).toBeGreaterThan(15);
    for (const info of guarded) {
      for (const url of spellingsOf(anyPath(info))) {
        const nobody = await send(world, 'GET', `/${url}`);
        const somebody = await send(world, 'GET', `/${url}`, { headers: powerless.headers });
        expect([url, nobody.status >= 400, somebody.status >= 400, nobody.data, somebody.data]).toEqual([
          url,
          true,
          true,
          undefined,
          undefined,
        ]);
      }
    }
  });

  test('headers that rewrite addresses change nothing [IN5]', async () => {
    await using world = await makeWorld();
    const headers = {
      'x-original-url': '/health',
      'x-rewrite-url': '/health',
      'x-forwarded-prefix': '/health',
      'x-http-method-override': 'GET',
      'x-forwarded-for': '127.0.0.1',
    };
    expect((await send(world, 'GET', '/devices', { headers })).status).toBe(401);
    expect((await send(world, 'GET', '//health', { headers: { 'x-original-url': '/api/devices' } })).data).toEqual({ status: 'ok' });
  });

  test('whole addresses, HTTP/1.0 and broken requests on the wire [IN5]', async () => {
    await using world = await makeWorld({ listen: true });
    const port = Number(new URL(world.url).port);
    const first = async (text: string): Promise<string> => (await onWire(port, text)).split('\r\n', 1)[0] ?? '';
    expect(await first('GET http://127.0.0.1/api/devices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 40[14]/);
    expect(await first('GET /api/devices HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 401/);
    expect(await first('TRACE /api/devices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 40[145]/);
    expect(await first('GET /api/devices\u0000 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(
      await first('POST /api/account/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400/);
    const broken = await onWire(port, 'nonsense\r\n\r\n');
    expect(broken).toMatch(/^HTTP\/1\.1 400/);
    expect(broken.toLowerCase()).toContain('x-content-type-options: nosniff');
  });
});

function onWire(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
