import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Taken {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A program elsewhere that takes calls, and answers with these statuses in turn. */
export async function startReceiver(statuses: number[]) {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = statuses.shift() ?? 200;
      response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere', connection: 'close' }).end('secret of the inner network');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    taken,
    url: `http://127.0.0.1:${port}/in`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
