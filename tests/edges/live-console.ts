import { io, type Socket } from 'socket.io-client';
import { afterAll } from 'vitest';
import type { EventName, EventPayloads } from '../../schemas/_generated/contract.ts';
import type { Caller } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** A listening server with a tree of companies, for all tests of the file that asks for it. */
export async function startLiveWorld() {
  const world = await makeWorld({ listen: true });
  afterAll(() => world[Symbol.asyncDispose]());
  return { world, tree: await makeTree(world) };
}

/** A console on a real socket: what it was sent, in order. */
export class Console implements Disposable {
  readonly heard: { event: string; args: unknown[] }[] = [];
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((event: string, ...args: unknown[]) => this.heard.push({ event, args }));
  }

  of(event: string): unknown[][] {
    return this.heard.filter((entry) => entry.event === event).map((entry) => entry.args);
  }

  /** The payloads of all packets of an event on a channel. */
  payloads<E extends EventName>(event: E, channel: string): EventPayloads[E][] {
    return this.of(event).flatMap(([name, payloads]) => (name === channel ? (payloads as EventPayloads[E][]) : []));
  }

  /** Asks for a channel; resolves to whether it may be followed. */
  async follow(channel: unknown): Promise<boolean> {
    const before = this.heard.length;
    this.socket.emit('subscribe', channel);
    const answer = await until('an answer to subscribe', () =>
      this.heard.slice(before).find((entry) => entry.event === 'subscribed' || entry.event === 'subscription_error'),
    );
    return answer.event === 'subscribed';
  }

  [Symbol.dispose](): void {
    this.socket.disconnect();
  }
}

/** Connects with these headers, and what the first packet says. Throws what the server refuses it with. */
export async function open(world: World, headers: Record<string, string>, auth: Record<string, string> = {}): Promise<Console> {
  const socket = io(world.url, {
    path: '/status/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    auth,
  });
  const console = new Console(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('connect_error', reject);
  });
  return console;
}

export const openAs = (world: World, caller: Caller): Promise<Console> => open(world, caller.headers);
