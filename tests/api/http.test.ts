import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { as, send, type Answer } from '../helpers/as.ts';
import { makeConsole, page, PAGE } from '../helpers/console-folder.ts';
import { expectSafeHeaders } from '../helpers/safe-headers.ts';
import { makeWorld } from '../helpers/world.ts';

/** The headers of every answer of a route: those of a page, and the number of the request. */
function expectRouteHeaders(name: string, { headers }: Answer): void {
  expectSafeHeaders(name, headers);
  expect([name, headers]).toEqual([name, expect.objectContaining({ 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) })]);
}

describe('every answer', () => {
  test('carries the security headers, whatever it is [OP3]', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    const caller = await as(world, 'admin');
    const answers: Record<string, Answer> = {
      'a record': await caller.get('/user'),
      'not signed in': await send(world, 'GET', '/user'),
      forbidden: await (await as(world, 'read_only')).post('/tags', {}),
      'not found': await caller.get('/tags/1'),
      'no such route': await caller.get('/nothing'),
      'an address that cannot be read': await send(world, 'GET', '//%zz'),
      'too large': await caller.post('/tags', { name: 'x'.repeat(2_000_000) }),
      'odd content type': await caller.post('/tags', 'name=x', { 'content-type': 'text/plain' }),
      'wrong body': await caller.post('/tags', {}),
      forged: await caller.post('/tags', {}, { 'x-xsrf-token': '' }),
      health: await send(world, 'GET', '//health'),
      'the agent': await send(world, 'GET', '//agent/canopy-agent'),
      'the page': await page(world, '/management/devices'),
      'a file': await send(world, 'GET', '//assets/index-4kdj3.js'),
      'no such file': await send(world, 'GET', '//assets/index-old.js'),
    };
    for (const [name, answer] of Object.entries(answers)) expectRouteHeaders(name, answer);
    expect(Object.values(answers).map((answer) => answer.status)).toEqual([
      200, 401, 403, 404, 404, 404, 413, 415, 400, 403, 200, 200, 200, 200, 404,
    ]);
  });

  test('answers of the API are kept nowhere [OP3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    for (const path of ['/user', '/tags', '/nothing']) expect((await caller.get(path)).headers['cache-control']).toBe('no-store');
  });

  test('on https browsers are instructed to stay there [OP3]', async () => {
    await using world = await makeWorld({ config: { publicUrl: 'https://fleet.example.org' } });
    const answer = await send(world, 'GET', '/user');
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('an unexpected error shows its number and nothing else; the log has the rest [OP4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await world.ctx.db.schema.dropTable('audit').execute();
    const answer = await caller.get('/history');
    const number = String(answer.headers['x-request-id']);
    expect(answer).toMatchObject({ status: 500, errors: [{ code: 'INTERNAL', params: { request_id: number } }] });
    expect(answer.text).not.toMatch(/audit|sql|node_modules|\.ts/i);
    expect(world.log()).toContain(number);
    expect(world.log()).toMatch(/no such table: audit|relation \\"audit\\" does not exist/);
  });

  test('secrets do not come into the log', async () => {
    await using world = await makeWorld({ config: { logLevel: 'trace' } });
    const caller = await as(world, 'admin');
    await send(world, 'POST', '/account/login', {
      body: { email: caller.user.email, password: 'my-secret-phrase' },
      headers: { origin: world.url },
    });
    await caller.get('/tags');
    world.ctx.log.info({ password: 'my-secret-phrase', request: { cookie: caller.session.access } }, 'logged by problem');
    expect(world.log()).toContain('logged by problem');
    for (const secret of ['my-secret-phrase', caller.session.access, caller.session.refresh]) expect(world.log()).not.toContain(secret);
  });

  test('TRACE and other unusual methods are off [OP4]', async () => {
    await using world = await makeWorld();
    for (const method of ['TRACE', 'PATCH', 'OPTIONS', 'CONNECT']) {
      const answer = await send(world, method as 'OPTIONS', '/user');
      expect([method, answer.status >= 400]).toEqual([method, true]);
    }
  });

  test('an unknown parameter of any call is named', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    expect(await caller.get('/user', { debug: 1 })).toMatchObject({ status: 400, errors: [{ code: 'UNKNOWN_FIELD', source: 'debug' }] });
  });

  test('an id that cannot be is as unknown as one that is not [AC2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const unknown = await caller.get('/tags/987654321');
    for (const id of ['abc', '0', '-1', '1.5', '1e3', '99999999999999999999', '%20', '1%00', "1'"]) {
      const answer = await caller.get(`/tags/${id}`);
      expect([id, answer.status, answer.text]).toEqual([id, 404, unknown.text]);
    }
  });

  test('too many calls from one address are answered 429 with the time to wait', async () => {
    await using world = await makeWorld();
    let last = await send(world, 'GET', '/set-up');
    for (let count = 0; count < 600; count += 1) last = await send(world, 'GET', '/set-up');
    expect(last).toMatchObject({ status: 429, codes: ['TOO_MANY_REQUESTS'] });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expectRouteHeaders('429', last);
  });
});

describe('the console', () => {
  test('its page is served for every address of a browser, with a new style nonce each time, and kept nowhere', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    const first = await page(world, '/management/devices?status=online');
    const second = await page(world, '/');
    const nonceOf = (answer: Answer): string => /<meta name="csp-nonce" content="([^"]+)"/.exec(answer.text)?.[1] ?? '';
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(nonceOf(first)).toMatch(/^[\w+/=]{20,}$/);
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect(first.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonceOf(first)}'`);
    expect(first.headers['content-security-policy']).not.toContain("script-src 'self' 'nonce");
  });

  test('the page names the documentation that help links lead to, when it has an address', async () => {
    using files = makeConsole();
    await using without = await makeWorld({ consoleDir: files.path });
    await using world = await makeWorld({ consoleDir: files.path, config: { docsUrl: 'https://docs.example/?a=1&b="><script>' } });
    expect((await page(without, '/')).text).not.toContain('name="docs"');
    expect((await page(world, '/')).text).toContain('<meta name="docs" content="https://docs.example/?a=1&amp;b=%22%3E%3Cscript%3E" />');
  });

  test('the content policy lets pictures of the map come from the tile server of the settings, and from nowhere else [M3]', async () => {
    using files = makeConsole();
    await using without = await makeWorld({ consoleDir: files.path });
    const config = { mapTilesUrl: 'https://tiles.example:8443/{z}/{x}/{y}.png?a="', mapAttribution: '<b>us</b>' };
    await using world = await makeWorld({ consoleDir: files.path, config });
    const plain = await page(without, '/');
    expect(plain.text).not.toContain('map-tiles');
    expect(plain.headers['content-security-policy']).toContain("img-src 'self' data: blob:;");
    const answer = await page(world, '/');
    expect(answer.headers['content-security-policy']).toContain("img-src 'self' data: blob: https://tiles.example:8443;");
    expect(answer.text).toContain('<meta name="map-tiles" content="{&quot;url&quot;:&quot;https://tiles.example:8443/{z}/{x}/{y}.png');
    expect(answer.text).not.toContain('<b>us');
  });

  test('language and dark mode are drawn from the cookies [X4]', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    const html = async (headers: Record<string, string>): Promise<string> =>
      /<html[^>]*>/.exec((await page(world, '/', headers)).text)?.[0] ?? '';
    expect(await html({})).toBe('<html lang="en" data-theme="auto">');
    expect(await html({ cookie: 'canopy_dark=on; canopy_language=ja' })).toBe('<html lang="ja" data-theme="on">');
    expect(await html({ cookie: 'canopy_dark=off', 'accept-language': 'nb-NO,nb;q=0.9,en;q=0.8' })).toBe(
      '<html lang="nb" data-theme="off">',
    );
    expect(await html({ cookie: 'canopy_dark="><script>; canopy_language="><script>' })).toBe('<html lang="en" data-theme="auto">');
  });

  test('it is not served for the API, for missing files or for writes', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    const caller = await as(world, 'admin');
    const { headers } = caller;
    for (const path of [
      '/api/nothing',
      '/api',
      '/api/',
      '/API/nothing',
      '/status/nothing',
      '/agent/nothing',
      '/assets/old-123.js',
      '/%61pi%2fnothing/..%2f..',
    ])
      expect([path, (await page(world, path, headers)).text.includes('<html')]).toEqual([path, path.startsWith('/%61')]);
    expect((await send(world, 'POST', '//management/devices', { headers: { ...headers, accept: 'text/html' } })).status).toBe(404);
  });

  test('no address leads out of its folder [IN5]', async () => {
    using files = makeConsole();
    writeFileSync(join(files.path, '..', 'canopy-outside.txt'), 'outside');
    await using world = await makeWorld({ consoleDir: files.path });
    const ups = ['..', '%2e%2e', '..%2f', '..%5c', '%252e%252e', '..;', '.%00.', '....//'];
    const addresses = ups.flatMap((up) => [
      `/${up}/canopy-outside.txt`,
      `/assets/${up}/${up}/canopy-outside.txt`,
      `/public/plugins/x/${`${up}/`.repeat(6)}etc/passwd`,
    ]);
    for (const path of [...addresses, '/index.html%00', '/.env', '/package.json', '/server/main.ts', '/etc/passwd']) {
      const answer = await send(world, 'GET', `/${path}`);
      // An address without a file's ending is a page of the console, for every program.
      const isRefused = answer.status === 404 || (answer.status === 200 && answer.text.includes('<html'));
      expect([path, isRefused, /outside|root:/.test(answer.text)]).toEqual([path, true, false]);
    }
    rmSync(join(files.path, '..', 'canopy-outside.txt'));
  });

  test('hashed files are kept for ever, compressed as the browser can, and not sent twice', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    const get = (headers: Record<string, string>) => world.app.fastify.inject({ method: 'GET', url: '/assets/index-4kdj3.js', headers });
    const plain = await get({});
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect((await get({ 'accept-encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBe('gzip');
    const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(brotli.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await world.app.fastify.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('a new build is served without a restart', async () => {
    using files = makeConsole();
    await using world = await makeWorld({ consoleDir: files.path });
    await page(world, '/');
    writeFileSync(join(files.path, 'assets', 'index-new77.js'), 'export {};');
    writeFileSync(join(files.path, 'index.html'), PAGE.replace('Canopy', 'Canopy 2'));
    expect((await page(world, '/')).text).toContain('Canopy 2');
    expect((await send(world, 'GET', '//assets/index-new77.js')).status).toBe(200);
  });
});

describe('the API description', () => {
  test('names every route with its right, and every record of the contract', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'read_only');
    const answer = await caller.get('/docs/json');
    const description = JSON.parse(answer.text);
    expect(description.openapi).toBe('3.1.0');
    const described = Object.entries(description.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // Forms that start a device job are described one by one, beside the route that they share.
    const routes = [...world.app.routes, ...world.app.describeMore.flatMap((more) => more())];
    expect(described.sort()).toEqual(routes.map((info) => `${info.method} ${info.path.replace(/:(\w+)/g, '{$1}')}`).sort());
    expect(description.paths['/api/devices'].get.description).toBe('Needs the permission `view_devices`.');
    expect(JSON.stringify(description.paths['/api/devices'].get.responses)).toContain('#/components/schemas/device');
    expect(description.components.schemas.device.properties).toHaveProperty('serial');
    const references = [...answer.text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '');
    for (const name of references) expect(description.components.schemas).toHaveProperty(name);
  });

  test('is shown by a page that needs nothing from elsewhere', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'read_only');
    const shown = await caller.get('/docs');
    expect(shown.status).toBe(200);
    const parts = [...shown.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(parts.length).toBe(3);
    for (const part of parts) expect([part, (await caller.get(part.replace('/api', ''))).status]).toEqual([part, 200]);
    expect(shown.text).not.toMatch(/<script>|style="|<style/);
    expect((await send(world, 'GET', '/docs')).status).toBe(401);
  });
});
