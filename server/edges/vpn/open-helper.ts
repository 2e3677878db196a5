import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { HelperAway, type HelperPlace, type HubSpec, type VpnHelper } from './types.ts';
import { readHelperState, readHubError } from './read-state.ts';
import { isProof, lineReader, proofOf, readHubSpec, revisionOf, type ConnectCall, type HelperCall } from './wire.ts';

const ANSWER_MS = 20_000;
const LONGEST_FIRST_LINE = 4096;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The first line that comes on a connection; what comes after it is left there to be read. */
function firstLine(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let kept = Buffer.alloc(0);
    const fail = (why: string): void => {
      reject(new HelperAway(why));
    };
    const onError = (error: Error): void => fail(error.message);
    const onClose = (): void => fail('the helper closed the connection');
    const take = (chunk: Buffer): void => {
      kept = Buffer.concat([kept, chunk]);
      const end = kept.indexOf(10);
      if (end === -1) {
        if (kept.length > LONGEST_FIRST_LINE) stream.destroy(new HelperAway('the helper sends no lines'));
        return;
      }
      stream.off('data', take).off('error', onError).off('close', onClose);
      stream.pause();
      if (end + 1 < kept.length) stream.unshift(kept.subarray(end + 1));
      resolve(kept.subarray(0, end).toString('utf8'));
    };
    stream.on('data', take).on('error', onError).on('close', onClose);
    // One that was paused after the line before does not begin by itself.
    stream.resume();
  });
}

/** A connection that is there before it is too late; a later one is closed. Throws HelperAway. */
async function inTime(connecting: Promise<Duplex>): Promise<Duplex> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => {
      connecting.then((stream) => stream.on('error', () => undefined).destroy()).catch(() => undefined);
      reject(new HelperAway('the way to the helper does not open'));
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([connecting, tooLate]);
  } catch (error) {
    throw error instanceof HelperAway ? error : new HelperAway(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(late);
  }
}

/** A connection to the helper, which is the right one. Throws HelperAway. */
async function openPlace(place: HelperPlace): Promise<Duplex> {
  if (typeof place === 'string') return connect(place);
  const stream = await inTime(place.connect());
  stream.on('error', () => undefined);
  const late = setTimeout(() => stream.destroy(), ANSWER_MS);
  try {
    const nonce = randomBytes(16).toString('base64url');
    stream.write(`${JSON.stringify({ nonce })}\n`);
    const answer = JSON.parse(await firstLine(stream)) as { nonce?: unknown; proof?: unknown };
    if (!isProof(answer.proof, place.key, 'helper', nonce)) throw new HelperAway('the other side does not have the key of this zone');
    stream.write(`${JSON.stringify({ proof: proofOf(place.key, 'server', String(answer.nonce)) })}\n`);
    return stream;
  } catch (error) {
    stream.destroy();
    throw error instanceof HelperAway ? error : new HelperAway(String(error));
  } finally {
    clearTimeout(late);
  }
}

async function connectThrough(place: HelperPlace, call: ConnectCall, signal: AbortSignal): Promise<Duplex> {
  const stream = await openPlace(place);
  const give = (): void => void stream.destroy();
  if (signal.aborted) give();
  signal.addEventListener('abort', give, { once: true });
  try {
    stream.write(`${JSON.stringify(call)}\n`);
    const answer = JSON.parse(await firstLine(stream)) as { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return stream;
  } catch (error) {
    stream.on('error', () => undefined);
    stream.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', give);
  }
}

/** The helper at this place; it is connected to when something is asked, and again after it went away. */
export function openVpnHelper(place: HelperPlace): VpnHelper {
  let opened: Promise<Duplex> | undefined;
  let current: Duplex | undefined;
  let waiting: Waiting[] = [];
  const drop = (one: Duplex, why: string): void => {
    one.destroy();
    if (current !== one) return;
    [current, opened] = [undefined, undefined];
    for (const { reject } of waiting.splice(0)) reject(new HelperAway(why));
  };
  const take = (line: string): void => {
    const answer = JSON.parse(line) as { result?: unknown; error?: string };
    const next = waiting.shift();
    if (answer.error === undefined) next?.resolve(answer.result);
    else next?.reject(new Error(answer.error));
  };
  async function open(): Promise<Duplex> {
    const one = await openPlace(place);
    current = one;
    const read = lineReader(take);
    one.on('data', (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        drop(one, String(error));
      }
    });
    one.on('error', (error) => drop(one, error.message));
    one.on('close', () => drop(one, 'the helper closed the connection'));
    if (one.destroyed) drop(one, 'the helper closed the connection');
    // It was paused after the proof.
    one.resume();
    return one;
  }
  async function ask<T>(call: HelperCall): Promise<T> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const one = await opened;
    const late = setTimeout(() => drop(one, 'the helper does not answer'), ANSWER_MS);
    try {
      return await new Promise<T>((resolve, reject) => {
        // It may have gone in the same moment.
        if (current !== one) return reject(new HelperAway('the helper closed the connection'));
        waiting.push({ resolve: (value) => resolve(value as T), reject });
        one.write(`${JSON.stringify(call)}\n`);
      });
    } finally {
      clearTimeout(late);
    }
  }
  return {
    apply: async (hub: HubSpec) => readHubError(await ask<unknown>({ method: 'apply', hub })),
    remove: async (id) => void (await ask<unknown>({ method: 'remove', id })),
    revisionOf: (hub) => revisionOf(readHubSpec(hub)),
    state: async (after) => readHelperState(await ask<unknown>({ method: 'state', after })),
    connect: (hub, client, port, signal) => connectThrough(place, { method: 'connect', hub, client, port }, signal),
    async [Symbol.asyncDispose]() {
      const one = current;
      if (!one) return;
      drop(one, 'the server stops');
      waiting = [];
    },
  };
}
