import type { WebSocket, RawData } from 'ws';
import type { ClientMessage, RemoteAnswer, RemoteEnd, RemoteQuestion, ServerMessage } from '../../../schemas/kit/devices/remote-wire.ts';
import { RemoteFault } from './ssh-client.ts';

const TEXT_LIMIT = 2 * 1024 * 1024;
const ANSWER_LIMIT = 64 * 1024;
const OPEN = 1;

/** The conversation with one console over the socket of a session. */
export interface Talk {
  send(message: ServerMessage): void;
  sendBytes(bytes: Buffer): void;
  /** Asks the person; `null` when they give up. Throws RemoteFault when the socket closes meanwhile. */
  ask(question: RemoteQuestion): Promise<RemoteAnswer>;
  /** Says why it ends; the end of the session closes the socket. */
  sendEnd(reason: RemoteEnd, detail?: string, code?: number): void;
  close(): void;
  /** What the console sends; answers to questions are taken out. */
  onMessage(listener: (message: ClientMessage) => void): void;
  onBytes(listener: (bytes: Buffer) => void): void;
  onClose(listener: () => void): void;
  readonly bufferedAmount: number;
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.length <= ANSWER_LIMIT ? value : undefined);

/** The answer of a person as it may be used; anything else counts as giving up. */
function readAnswer(value: unknown): RemoteAnswer {
  if (!isObject(value)) return null;
  if (typeof value['trust'] === 'boolean') return { trust: value['trust'] };
  if (Array.isArray(value['answers'])) return { answers: value['answers'].slice(0, 16).map((text) => textOf(text) ?? '') };
  const members = ['username', 'password', 'private_key', 'passphrase'] as const;
  return Object.fromEntries(members.flatMap((name) => (textOf(value[name]) === undefined ? [] : [[name, textOf(value[name])]])));
}

function readMessage(data: Buffer): ClientMessage | undefined {
  if (data.length > TEXT_LIMIT) return undefined;
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    return isObject(value) && typeof value['type'] === 'string' ? (value as ClientMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Begins to listen on the socket of a session. */
export function createTalk(socket: WebSocket): Talk {
  const waiting = new Map<number, { resolve(answer: RemoteAnswer): void; reject(error: Error): void }>();
  let lastId = 0;
  let listener: (message: ClientMessage) => void = () => undefined;
  let bytesListener: (bytes: Buffer) => void = () => undefined;

  const send = (message: ServerMessage): void => {
    if (socket.readyState === OPEN) socket.send(JSON.stringify(message));
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) return bytesListener(toBuffer(data));
    const message = readMessage(toBuffer(data));
    if (message?.type !== 'answer') return void (message && listener(message));
    waiting.get(message.id)?.resolve(readAnswer(message.answer));
    waiting.delete(message.id);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new RemoteFault('cancelled'));
    waiting.clear();
  });
  // The close that follows is what counts.
  socket.on('error', () => undefined);

  return {
    send,
    sendBytes(bytes) {
      if (socket.readyState === OPEN) socket.send(bytes);
    },
    ask(question) {
      if (socket.readyState !== OPEN) return Promise.reject(new RemoteFault('cancelled'));
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ type: 'ask', id, question });
      });
    },
    sendEnd(reason, detail, code) {
      send({ type: 'end', reason, ...(detail ? { detail: detail.slice(0, 500) } : {}), ...(code === undefined ? {} : { code }) });
    },
    close: () => socket.close(1000),
    onMessage(next) {
      listener = next;
    },
    onBytes(next) {
      bytesListener = next;
    },
    onClose(next) {
      if (socket.readyState > OPEN) next();
      else socket.on('close', next);
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
}
