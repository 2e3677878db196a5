import { connect, type Socket } from 'node:net';
import { HelperAway, type HelperState, type HubSpec, type VpnHelper } from './types.ts';
import { lineReader, readHubSpec, revisionOf, type ConnectCall, type HelperCall } from './wire.ts';

const ANSWER_MS = 20_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The first line that comes on a socket; what comes after it is left there to be read. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let kept = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      kept = Buffer.concat([kept, chunk]);
      const end = kept.indexOf(10);
      if (end === -1) return;
      socket.off('data', take);
      socket.pause();
      if (end + 1 < kept.length) socket.unshift(kept.subarray(end + 1));
      resolve(kept.subarray(0, end).toString('utf8'));
    };
    socket.on('data', take);
    socket.once('error', (error) => reject(new HelperAway(error.message)));
    socket.once('close', () => reject(new HelperAway('the helper closed the connection')));
  });
}

async function connectThrough(path: string, call: ConnectCall, signal: AbortSignal): Promise<Socket> {
  const socket = connect(path);
  const give = (): void => void socket.destroy();
  signal.addEventListener('abort', give, { once: true });
  try {
    socket.write(`${JSON.stringify(call)}\n`);
    const answer = JSON.parse(await firstLine(socket)) as { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    socket.removeAllListeners('error');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', give);
  }
}

/** The helper that listens at this Unix socket; it is connected to when something is asked, and again after it went away. */
export function openVpnHelper(path: string): VpnHelper {
  let socket: Socket | undefined;
  let waiting: Waiting[] = [];
  const drop = (one: Socket, why: string): void => {
    one.destroy();
    if (socket !== one) return;
    socket = undefined;
    for (const { reject } of waiting.splice(0)) reject(new HelperAway(why));
  };
  const take = (line: string): void => {
    const answer = JSON.parse(line) as { result?: unknown; error?: string };
    const next = waiting.shift();
    if (answer.error === undefined) next?.resolve(answer.result);
    else next?.reject(new Error(answer.error));
  };
  const open = (): Socket => {
    const one = connect(path);
    const read = lineReader(take);
    one.on('data', (chunk) => {
      try {
        read(chunk);
      } catch (error) {
        drop(one, String(error));
      }
    });
    one.on('error', (error) => drop(one, error.message));
    one.on('close', () => drop(one, 'the helper closed the connection'));
    return one;
  };
  async function ask<T>(call: HelperCall): Promise<T> {
    socket ??= open();
    const one = socket;
    const late = setTimeout(() => drop(one, 'the helper does not answer'), ANSWER_MS);
    try {
      return await new Promise<T>((resolve, reject) => {
        waiting.push({ resolve: (value) => resolve(value as T), reject });
        one.write(`${JSON.stringify(call)}\n`);
      });
    } finally {
      clearTimeout(late);
    }
  }
  return {
    apply: (hub: HubSpec) => ask<string | null>({ method: 'apply', hub }),
    remove: (id) => ask<void>({ method: 'remove', id }),
    revisionOf: (hub) => revisionOf(readHubSpec(hub)),
    state: (after) => ask<HelperState>({ method: 'state', after }),
    connect: (hub, client, port, signal) => connectThrough(path, { method: 'connect', hub, client, port }, signal),
    async [Symbol.asyncDispose]() {
      const one = socket;
      if (!one) return;
      drop(one, 'the server stops');
      waiting = [];
    },
  };
}
