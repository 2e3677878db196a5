import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { download } from '../../agent/fleet/transfer.ts';

test('a simulated device that loses power while it gets a small file harms no other one', async () => {
  const content = Buffer.alloc(18_000);
  const server = createServer((_request, response) => void response.setHeader('content-length', content.length).end(content));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, commandId: '1', key: 'a', password: 'b' };
  for (let turn = 0; turn < 20; turn += 1) {
    await expect(download(address, { stopAt: turn % 2 === 0 ? 1 : 9000 })).rejects.toThrow('the power went away');
    expect((await download(address)).bytes).toBe(content.length);
  }
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});
