import type { Socket } from 'socket.io-client';
import { createStore } from '../store.ts';

export interface ChannelListener {
  onEvent(event: string, payload: unknown): void;
  /** Events are heard from now on, for the first time or after a break: what happened before may have been missed, so load again. */
  onFollowed?(): void;
  /** The server refused the channel (403). */
  onRefused?(): void;
}
/** `idle`: nothing is followed; `down`: it was connected or tried to, and is not now; `full`: this person has too many connections. */
export type LiveState = 'idle' | 'connecting' | 'connected' | 'down' | 'full';

/** The part of a Socket.IO socket that is used. */
export type LiveSocket = Pick<Socket, 'on' | 'onAny' | 'emit' | 'connect' | 'disconnect' | 'connected' | 'io' | 'active'>;

interface Init {
  connect(): Promise<LiveSocket>;
  /** Renews the session when the server refuses the connection for want of one. */
  renew(since: number): Promise<boolean>;
  /** Something came by a channel, or may have been missed before it is heard. */
  onNews?(channel: string): void;
}

/**
 * Channels over one socket. `follow` counts followers, subscribes on the first and unsubscribes with the last, and subscribes
 * again after every break. A `subscription_error` is only logged, except 403, which closes the channel (docs/behaviour.md section 7).
 */
export function createLiveChannels(init: Init) {
  const channels = new Map<string, { listeners: Set<ChannelListener>; isFollowed: boolean }>();
  const state = createStore<LiveState>('idle');
  let socket: LiveSocket | undefined;
  let opening: Promise<void> | undefined;
  let isPaused = false;
  let hasRenewed = false;

  function open(): Promise<void> {
    opening ??= init.connect().then((made) => {
      socket = made;
      listen(made);
      if (!isPaused && channels.size > 0) connect();
    });
    return opening;
  }

  function connect(): void {
    if (!socket || socket.connected || socket.active) return;
    state.set('connecting');
    socket.connect();
  }

  function listen(made: LiveSocket): void {
    made.on('connect', () => {
      state.set('connected');
      hasRenewed = false;
      for (const name of channels.keys()) made.emit('subscribe', name);
    });
    made.on('disconnect', (reason) => {
      state.set(channels.size === 0 ? 'idle' : 'down');
      for (const channel of channels.values()) channel.isFollowed = false;
      // Socket.IO does not come back by itself when the server ended the connection, as it does with the sockets of an old session.
      if (reason === 'io server disconnect' && !isPaused && channels.size > 0) connect();
    });
    made.on('connect_error', (error: Error) => {
      state.set(/TOO_MANY_CONNECTIONS/.test(error.message) ? 'full' : 'down');
      if (!/UNAUTHORIZED/.test(error.message)) return;
      made.disconnect();
      // Once only: a server that refuses the new session too would be asked in a loop.
      if (hasRenewed) return;
      hasRenewed = true;
      void init.renew(Date.now()).then((renewed) => {
        if (renewed && !isPaused) connect();
      });
    });
    made.on('subscribed', (name: unknown) => {
      const channel = channels.get(String(name));
      if (!channel) return;
      channel.isFollowed = true;
      init.onNews?.(String(name));
      for (const listener of channel.listeners) listener.onFollowed?.();
    });
    made.on('subscription_error', (name: unknown, problem: unknown) => {
      const channel = channels.get(String(name));
      if (codeOf(problem) === 403 && channel) {
        channels.delete(String(name));
        for (const listener of channel.listeners) listener.onRefused?.();
      } else {
        // oxlint-disable-next-line no-console -- docs/behaviour.md section 7: only logged.
        console.warn('Live channel refused:', name, problem);
      }
    });
    made.onAny((event: string, name: unknown, payload: unknown) => {
      if (event === 'subscribed' || event === 'subscription_error' || typeof name !== 'string') return;
      init.onNews?.(name);
      for (const listener of channels.get(name)?.listeners ?? []) listener.onEvent(event, payload);
    });
  }

  return {
    state,
    /** Follows a channel until the returned function is called. */
    follow(name: string, listener: ChannelListener): () => void {
      const known = channels.get(name);
      if (known) {
        known.listeners.add(listener);
        if (known.isFollowed) queueMicrotask(() => known.listeners.has(listener) && listener.onFollowed?.());
      } else {
        channels.set(name, { listeners: new Set([listener]), isFollowed: false });
        void open();
        if (socket?.connected) socket.emit('subscribe', name);
        else if (!isPaused) connect();
      }
      return () => {
        const channel = channels.get(name);
        if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return;
        channels.delete(name);
        if (socket?.connected) socket.emit('unsubscribe', name);
      };
    },
    /** Closes the socket and keeps the channels for `resume`. */
    pause(): void {
      isPaused = true;
      socket?.disconnect();
    },
    resume(): void {
      isPaused = false;
      hasRenewed = false;
      if (channels.size > 0) connect();
    },
    /** Closes the socket and forgets every channel. */
    close(): void {
      channels.clear();
      socket?.disconnect();
      state.set('idle');
    },
  };
}

function codeOf(problem: unknown): unknown {
  return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined;
}
