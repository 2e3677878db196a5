import type { ClientMessage, RemoteAnswer, RemoteEnd, RemoteQuestion, ServerMessage } from '../../../schemas/kit/devices/remote-wire.ts';
import { api } from '../../kernel/http/index.ts';
import { acceptTerms, type RemotePlace } from './terms.ts';

/** What the server made of it. */
export interface RemoteTicket {
  id: number;
  kind: string;
  ticket: string;
  url: string;
  recorded: boolean;
}

export interface RemoteListeners {
  onQuestion(question: RemoteQuestion, answer: (answer: RemoteAnswer) => void): void;
  onMessage(message: Exclude<ServerMessage, { type: 'ask' | 'end' }>): void;
  onBytes(bytes: Uint8Array<ArrayBuffer>): void;
  /** Once: with the server's reason, or `lost` when the line broke. */
  onEnd(end: { reason: RemoteEnd | 'lost'; detail?: string; code?: number }): void;
}

const SECONDS = 8 * 60 * 60;
/** Closings of the server with a reason of their own. */
const CLOSE_ENDED = 4000;

function pathOf(place: RemotePlace): string {
  if ('access' in place) return `/devices/connect/${place.access}`;
  if ('link' in place) return `/remote/shared/${encodeURIComponent(place.link)}/connect`;
  return `/devices/${place.device}/connect/webui`;
}

/** Asks for a session, once its terms were read; throws ApiError. */
export async function beginRemote(place: RemotePlace): Promise<RemoteTicket> {
  await acceptTerms(place);
  const { data } = await api.post<RemoteTicket>(pathOf(place), { duration: SECONDS });
  return data;
}

/** The address of a session's socket. */
export function socketAddress(url: string): string {
  const address = new URL(url, location.href);
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:';
  return address.href;
}

/** One end of a remote session's socket. */
export interface RemoteSocket {
  send(message: ClientMessage): void;
  sendBytes(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
  readonly bufferedAmount: number;
  /** Hands the socket to a library that speaks on from here. */
  release(): WebSocket;
}

const isMessage = (value: unknown): value is ServerMessage => typeof value === 'object' && value !== null && 'type' in value;

/** Opens the socket of a ticket and sends its hello. */
export function openRemoteSocket({ url }: Pick<RemoteTicket, 'url'>, hello: object, listeners: RemoteListeners): RemoteSocket {
  const socket = new WebSocket(socketAddress(url));
  socket.binaryType = 'arraybuffer';
  let isOver = false;
  let isReleased = false;
  const end = (given: Parameters<RemoteListeners['onEnd']>[0]): void => {
    if (isOver) return;
    isOver = true;
    listeners.onEnd(given);
  };
  const send = (message: ClientMessage): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  socket.addEventListener('open', () => socket.send(JSON.stringify(hello)));
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isReleased) return undefined;
    if (data instanceof ArrayBuffer) return listeners.onBytes(new Uint8Array(data));
    const message: unknown = JSON.parse(String(data));
    if (!isMessage(message)) return undefined;
    if (message.type === 'ask') {
      const { id, question } = message;
      return listeners.onQuestion(question, (answer) => send({ type: 'answer', id, answer }));
    }
    if (message.type === 'end') return end(message);
    return listeners.onMessage(message);
  });
  socket.addEventListener('close', ({ code, reason }) =>
    end(code === CLOSE_ENDED ? { reason: 'ended', detail: reason } : { reason: 'lost' }),
  );
  return {
    send,
    sendBytes(bytes) {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
    },
    close() {
      isOver = true;
      socket.close(1000);
    },
    release() {
      isReleased = true;
      return socket;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
}
