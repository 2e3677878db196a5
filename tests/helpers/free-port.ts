import { createServer } from 'node:net';

/** Below the ports that systems give to connections that go out, so that none takes it before it is listened at. */
const FIRST = 10_000;
const COUNT = 14_000;

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A TCP port of loopback at which nobody listens. Tests run side by side: it is drawn, so that two do not get the same. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}
