import { randomBytes, randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Forward, OpenTunnelHub, TunnelHub } from '../../edges/tunnel/types.ts';
import { MINUTE, SECOND, type Clock } from '../../kernel/clock.ts';
import type { TargetResult } from '../jobs/types.ts';
import { tunnelHostKey } from './host-key.ts';
import { ANSWER_WITHIN_MS, RemoteError, type Carrier, type RemoteDevice, type RemoteTarget } from './types.ts';

const IDLE_MS = MINUTE;
const LOOK_MS = 15 * SECOND;
const PREFIX = 'tunnel-';
/** What a device answers whose key is another one than the server knows; its output is the key. */
const OTHER_KEY = 3;
const NO_SSH = 127;
/** A busy router makes its key, hears of it and signs in: each of these takes it seconds. */
const TUNNEL_WITHIN_MS = MINUTE;
const COMMAND_MS = 45 * SECOND;
const MOST_OF_DEVICE = 10;

interface Answer {
  code: number | null;
  output: string;
  message: string;
}

/** The way by reverse SSH tunnels: a device opens one when it is asked to, to the one place that it is asked for, and it ends when nobody uses it. */
export interface TunnelCarrier extends Carrier, AsyncDisposable {
  start(): void;
  /** What devices say of tunnels, among the results of commands. */
  takeResults(results: readonly TargetResult[]): void;
  /** Tunnels that are open here. */
  count(): number;
}

const keyOf = (device: RemoteDevice, { host, port }: RemoteTarget): string => `${device.device_key} ${host} ${port}`;

/** A connection through an open tunnel. Throws RemoteError. */
async function openThrough(clock: Clock, forward: Forward): Promise<Duplex> {
  const opened = forward.open().catch((cause: unknown) => {
    throw new RemoteError('refused', { cause });
  });
  let cancel = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(ANSWER_WITHIN_MS, () => {
      opened.then((stream) => stream.destroy()).catch(() => undefined);
      reject(new RemoteError('too-slow'));
    });
  });
  return Promise.race([opened, late]).finally(() => cancel());
}

export function createTunnelCarrier(ctx: Context, openHub: OpenTunnelHub): TunnelCarrier {
  const opening = new Map<string, Promise<Forward>>();
  const open = new Map<string, Forward>();
  const failed = new Map<string, (answer: Answer) => void>();
  let hub: Promise<TunnelHub> | undefined;
  let stop: (() => void) | undefined;
  const { remote } = ctx.config;

  async function startHub(): Promise<TunnelHub> {
    const { privateText } = await tunnelHostKey(ctx);
    return openHub({
      host: remote.tunnelHost,
      port: remote.tunnelPort,
      hostKey: privateText,
      now: () => ctx.clock.now(),
      onFault: (error) => ctx.log.error({ err: error }, 'the tunnel port failed'),
    });
  }

  function theHub(): Promise<TunnelHub> {
    hub ??= startHub().catch((error: unknown) => {
      hub = undefined;
      ctx.log.error({ err: error, port: remote.tunnelPort }, 'the tunnel port could not be opened');
      throw new RemoteError('no-way', { cause: error });
    });
    return hub;
  }

  const knownKey = async (deviceId: number): Promise<string> =>
    (await ctx.db.selectFrom('device_tunnel_keys').select('public_key').where('device_id', '=', deviceId).executeTakeFirst())?.public_key ??
    '';

  async function keepKey(deviceId: number, output: string): Promise<string> {
    const public_key = publicKeyOf(output);
    if (public_key === undefined) throw new RemoteError('no-ssh');
    const values = { public_key, created_at: ctx.clock.now() };
    await ctx.db
      .insertInto('device_tunnel_keys')
      .values({ device_id: deviceId, ...values })
      .onConflict((conflict) => conflict.column('device_id').doUpdateSet(values))
      .execute();
    return public_key;
  }

  /** Asks a device for a tunnel; the forward, or what it answered instead. */
  async function ask(device: RemoteDevice, target: RemoteTarget, publicKey: string, signal: AbortSignal): Promise<Forward | Answer> {
    const { port } = await theHub().then((found) => found);
    const { publicText } = await tunnelHostKey(ctx);
    const id = `${PREFIX}${randomUUID()}`;
    const bind = `t${randomBytes(12).toString('hex')}`;
    const over = new AbortController();
    const abort = (): void => over.abort();
    signal.addEventListener('abort', abort, { once: true });
    const answered = new Promise<Answer>((resolve) => failed.set(id, resolve));
    try {
      const expected = (await theHub()).expect({ bind, deviceKey: device.device_key, publicKey }, over.signal);
      expected.catch(() => undefined);
      const fields = {
        host: remote.tunnelPublicHost ?? new URL(ctx.publicUrl()).hostname.replace(/^\[|\]$/g, ''),
        port: remote.tunnelPublicPort ?? port,
        host_key: publicText,
        key: publicKey,
        bind,
        address: target.host,
        service_port: target.port,
      };
      const body = Object.entries(fields)
        .map(([name, value]) => `${name}=${value}\n`)
        .join('');
      await ctx.devices.send(device.device_key, {
        id,
        verb: 'tunnel',
        deadlineAt: ctx.clock.now() + COMMAND_MS,
        timeoutSeconds: COMMAND_MS / SECOND,
        body,
      });
      return await Promise.race([expected, answered]);
    } finally {
      failed.delete(id);
      signal.removeEventListener('abort', abort);
      over.abort();
    }
  }

  async function openForward(device: RemoteDevice, target: RemoteTarget, signal: AbortSignal): Promise<Forward> {
    const first = await ask(device, target, await knownKey(device.id), signal);
    if ('open' in first) return first;
    if (first.code !== OTHER_KEY) throw faultOf(first);
    const second = await ask(device, target, await keepKey(device.id, first.output), signal);
    if ('open' in second) return second;
    throw faultOf(second);
  }

  async function isOnline(deviceId: number): Promise<boolean> {
    const row = await ctx.reads.selectFrom('devices').select('status').where('id', '=', deviceId).executeTakeFirst();
    return row?.status === 1;
  }

  async function forwardTo(device: RemoteDevice, target: RemoteTarget, signal: AbortSignal): Promise<Forward> {
    const key = keyOf(device, target);
    const there = open.get(key);
    if (there) return there;
    const mine = [...open.keys(), ...opening.keys()].filter((other) => other.startsWith(`${device.device_key} `)).length;
    const underWay = opening.get(key);
    if (underWay) return underWay;
    if (mine >= MOST_OF_DEVICE) throw new RemoteError('refused');
    const made = openForward(device, target, signal)
      .then((forward) => {
        open.set(key, forward);
        forward.onClose(() => open.get(key) === forward && open.delete(key));
        return forward;
      })
      .catch((error: unknown) => {
        throw error instanceof RemoteError ? error : new RemoteError('too-slow', { cause: error });
      })
      .finally(() => opening.delete(key));
    opening.set(key, made);
    return made;
  }

  return {
    name: 'tunnel',
    withinMs: TUNNEL_WITHIN_MS,
    async open(device, target, signal): Promise<Duplex | undefined> {
      if (!(await isOnline(device.id))) {
        if (remote.direct !== 'off') return undefined;
        throw new RemoteError('offline');
      }
      const forward = await forwardTo(device, target, signal);
      return openThrough(ctx.clock, forward);
    },
    takeResults(results) {
      for (const { commandId, state, code, output, message } of results)
        if (state === 'failed' && commandId.startsWith(PREFIX))
          failed.get(commandId)?.({ code, output: output ?? '', message: message ?? '' });
    },
    count: () => open.size,
    start() {
      stop = ctx.clock.every(LOOK_MS, () => {
        const now = ctx.clock.now();
        for (const forward of open.values()) if (forward.count() === 0 && now - forward.lastUsedAt() > IDLE_MS) forward.close();
      });
    },
    async [Symbol.asyncDispose]() {
      stop?.();
      const opened = await hub?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

/** The base64 part of the key that a device prints; undefined where there is none. */
export function publicKeyOf(output: string): string | undefined {
  // 51 bytes: the kind and 32 of the key. They end in any of these characters, so a word boundary is not their end.
  return /^ssh-ed25519 ([A-Za-z0-9+/]{68})(?![A-Za-z0-9+/=])/.exec(output.trim())?.[1];
}

function faultOf({ code, message }: Answer): RemoteError {
  if (code === NO_SSH) return new RemoteError('no-ssh', { detail: message });
  return new RemoteError('refused', { detail: message });
}
