import { createHash } from 'node:crypto';
import { request as sendRequest, ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RemoteError } from '../../domain/remote/types.ts';
import { answerPage } from './answer-page.ts';
import { DEVICE_ANSWERS_WITHIN_MS, endWithPage, giveAnswer, MAX_HEADER_BYTES, openConnection, refuseAnswer, type Page } from './forward.ts';
import { answerHeaders, requestHeaders } from './headers.ts';

const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Joins a WebSocket of a page with the one of the device, byte for byte, once the device has agreed to it; any other answer ends the connection. */
export async function forwardUpgrade(page: Page, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.end(() => socket.destroy()));
  socket.on('error', () => socket.destroy());
  const device = await openConnection(page.session).catch((error: unknown) => {
    answerPage(response, 502, error instanceof RemoteError ? error.reason : 'closed');
  });
  if (!device) return;
  // Given up while the connection was made: nobody is told of that a second time.
  if (socket.destroyed) {
    device.destroy();
    return;
  }
  const end = (): void => {
    device.destroy();
    socket.destroy();
  };
  socket.on('close', end);
  const headers = requestHeaders(request.headers, page.places, page.jar.headerFor(request.url ?? '/', request.headers.cookie));
  const outgoing = sendRequest({
    createConnection: () => device,
    path: request.url,
    headers: { ...headers, connection: 'Upgrade', upgrade: 'websocket' },
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: DEVICE_ANSWERS_WITHIN_MS,
  });
  outgoing.on('upgrade', (answer, _device, first) => {
    if (!agreesTo(request, answer)) return refuseAnswer(page, answer, response);
    outgoing.setTimeout(0);
    response.detachSocket(socket);
    socket.write(writeUpgrade(page, answer, request.url ?? '/'));
    device.on('error', end).on('close', end);
    socket.write(first);
    device.write(head);
    device.pipe(socket);
    socket.pipe(device);
    return undefined;
  });
  outgoing.on('response', (answer) => giveAnswer(page, answer, { request, response }));
  endWithPage(page, outgoing, response);
  outgoing.end();
}

/** Whether the answer is that of a server of WebSockets to this very request (RFC 6455, 4.2.2). */
function agreesTo(request: IncomingMessage, { headers }: IncomingMessage): boolean {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key'] ?? ''}${WEBSOCKET_GUID}`)
    .digest('base64');
  return headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-accept'] === accept;
}

function writeUpgrade(page: Page, answer: IncomingMessage, url: string): string {
  const cookies = page.jar.keep(answer.headers['set-cookie'] ?? [], url);
  const { 'content-length': _length, ...headers } = answerHeaders(answer.headers, page.places);
  const lines = Object.entries({ ...headers, 'set-cookie': cookies, connection: 'Upgrade', upgrade: 'websocket' });
  const text = lines.flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return `HTTP/1.1 101 Switching Protocols\r\n${text.join('')}\r\n`;
}
