import { createServer } from 'node:http';
import { Server } from 'socket.io';

// The smallest server with rooms that does the same for consoles: nobody signs in, nothing is stored, every change is sent at once.

const http = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    io.to(request.url?.slice(1) ?? '').emit('changed', JSON.parse(Buffer.concat(chunks).toString('utf8')));
    response.end();
  });
});

const io = new Server(http, { path: '/status/socket.io', transports: ['websocket'], serveClient: false, perMessageDeflate: false });
io.on('connection', (socket) => {
  socket.on('subscribe', async (channel: string) => {
    await socket.join(channel);
    socket.emit('subscribed', channel);
  });
});

http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.stdout.write(`Bare is ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
process.once('SIGTERM', () => process.exit(0));
