import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

describe.each(SHELLS)('collection under %s', (shell) => {
  test('a source is printed only when the device itself allows it', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const probe = (id: string, source: string) => world.command(id, 'probe', `source=${source}\n`, { timeout: 20 });
    expect(await probe('c1', 'file /proc/loadavg')).toMatchObject({ state: 'ok', output: expect.stringMatching(/^\d+\.\d+ /) });
    expect(await probe('c2', 'file /etc/passwd')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c3', 'file /proc/../etc/passwd')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c4', 'command reboot')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c5', 'ubus system reboot {}')).toMatchObject({ state: 'failed' });
  });

  test('templates are collected at once, a source that is not allowed without its text', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    expect(
      await world.command('c1', 'collect', 'template=12 3 60\nsource=file /proc/loadavg\nsource=file /etc/shadow\nnonsense\n'),
    ).toMatchObject({ state: 'ok', message: 'Collects 1 templates' });
    const { json: collected } = await world.hear('the answer', ({ topic }) => topic.endsWith('collected'));
    expect(collected).toMatchObject({
      template: 12,
      version: 3,
      sources: [{ code: 0, output: expect.stringMatching(/^\d+\.\d+ /) }, { code: 126 }],
    });
  });

  test("the router's own API is read with the account that its administrator gave, and not without one", async () => {
    const asked: [string | undefined, string | undefined, string | undefined][] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push([request.method, request.url, request.url === '/login' ? body : request.headers.authorization]);
        const isRight = body === '{"username":"fleet","password":"a \\"word\\" of its own"}';
        const answer =
          request.url === '/login'
            ? { success: isRight, data: isRight ? { token: 'T0.k-n' } : {} }
            : { success: true, data: [{ rsrp: -91 }] };
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await using world = await AgentWorld.start();
    await world.startAgent(shell, { CANOPY_LOCAL_API: `http://127.0.0.1:${port}` });
    const probe = (id: string, source: string) => world.command(id, 'probe', `source=${source}\n`, { timeout: 20 });
    expect(await probe('c1', 'api /modems/status')).toMatchObject({ state: 'failed', code: 126 });
    expect(asked).toEqual([]);
    await appendFile(join(world.folder, 'canopy/collect.allow'), 'api fleet a "word" of its own\n');
    expect(await probe('c2', 'api /modems/status?id=1')).toMatchObject({ state: 'ok', output: '{"success":true,"data":[{"rsrp":-91}]}' });
    expect(asked.at(-1)).toEqual(['GET', '/modems/status?id=1', 'Bearer T0.k-n']);
    expect(await probe('c3', 'api /../login')).toMatchObject({ state: 'failed', code: 126 });
    server.closeAllConnections();
    server.close();
  });
});
