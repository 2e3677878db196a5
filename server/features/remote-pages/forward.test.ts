import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { countedStream } from '../../domain/remote/counted-stream.ts';
import { makeAgent } from './forward.ts';

test('a connection that the device has ended is not used again, though its other half is open', { timeout: 20_000 }, async () => {
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened: Duplex[] = [];
  const agent = makeAgent({
    kind: 'http',
    entry: { id: 1, name: 'Page', host: '127.0.0.1', port },
    openStream: async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      await once(socket, 'connect');
      const stream = countedStream(socket, () => undefined);
      opened.push(stream);
      return stream;
    },
  });
  const save = async (): Promise<string> => {
    const sent = request({ agent, method: 'POST', path: '/save' }).end('name=quay');
    const [answer] = await once(sent, 'response');
    return text(answer);
  };
  expect(await save()).toBe('ok');
  const closed = once(opened[0] ?? agent, 'close');
  accepted[0]?.end();
  await closed;
  expect(await save()).toBe('ok');
  expect(opened).toHaveLength(2);
  agent.destroy();
  for (const socket of accepted) socket.destroy();
  server.close();
  await once(server, 'close');
});
