import { createServer } from 'node:http';
import { loadConfig } from '../../server/config.ts';
import { startServer } from '../../server/main.ts';

// The server of the product with a door of its own that publishes without a write: PUT {company's path, such as /1/2/3/}{device}
// with what changed. GET / answers where the server is.

const server = await startServer(loadConfig());

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'PUT') {
      const [id, ...company] = (request.url ?? '').split('/').filter(Boolean).map(Number).reverse();
      const changes: { name: string } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const payload = { ...changes, id: id ?? 0, company_id: company[0] ?? 0 };
      server.ctx.live.publishBelow(`/${company.toReversed().join('/')}/`, 'devices', 'DeviceChanged', payload);
    }
    response.end(server.url);
  });
});

http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.stdout.write(`Source is ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
process.once('SIGTERM', () => process.exit(0));
