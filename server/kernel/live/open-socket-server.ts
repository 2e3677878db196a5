import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { Context } from '../../context.ts';
import type { createAdmission } from './admission.ts';
import { addAnswerHeaders } from './answer-headers.ts';
import { limitConnection } from './socket-limits.ts';

const PATH = '/status/socket.io';
const MAX_MESSAGE_BYTES = 2048;
const CONNECT_TIMEOUT_MS = 10_000;

/** Socket.IO on the HTTP server, websocket only; a connection that `admission` refuses is not opened. */
export function openSocketServer(ctx: Context, http: HttpServer, admission: ReturnType<typeof createAdmission>): Server {
  const io = new Server(http, {
    path: PATH,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Other upgrades are those of remote sessions, which refuse what is not theirs.
    destroyUpgrade: false,
    allowRequest: (request, decide) => {
      admission
        .refuseOpening(request)
        .then((reason) => decide(reason, reason === undefined))
        .catch((error: unknown) => {
          ctx.log.error({ err: error }, 'the origin of a live connection could not be checked');
          decide(null, false);
        });
    },
  });
  io.engine.on('connection', limitConnection);
  addAnswerHeaders(ctx, http, PATH);
  return io;
}
