import type { Duplex } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { openSealed } from '../../kernel/seal.ts';
import { countedStream } from './counted-stream.ts';
import { openDesktopRecording } from './desktop-recording.ts';
import { openRecording, type OpenRecording } from './recording.ts';
import { isDesktop } from './settings.ts';
import { RemoteError, type RemoteDevice, type RemoteSession } from './types.ts';

/** What the credentials of an entry are sealed for. */
export const credentialsPurpose = (entryId: number): string => `remote entry ${entryId}`;

export type SessionRow = Row<'remote_sessions'>;

/** A session that this process holds. */
export interface LiveSession extends RemoteSession {
  row: SessionRow;
  /** Unix milliseconds. */
  lastActiveAt(): number;
  bytes(): { bytes_in: number; bytes_out: number; recording_bytes: number };
  /** Ends everything and answers once the recording is on disk. */
  finish(reason: string): Promise<void>;
  /** How it ended, once it has. */
  endReason(): string | undefined;
}

export interface LiveSessionParts {
  row: SessionRow;
  actor: Actor;
  device: RemoteDevice;
  entry: Pick<
    Row<'remote_entries'>,
    'id' | 'name' | 'host' | 'port' | 'sealed_credentials' | 'login_domain' | 'keyboard' | 'login_form' | 'way'
  >;
  /** Of the terminal, while the session is to be recorded; desktops have sizes of their own. */
  recordingSize: { cols: number; rows: number } | undefined;
  connect(): Promise<Duplex>;
  /** Called when it is over, however that came. */
  ended(session: LiveSession, reason: string): void;
}

/** A session as its handler has it. */
export function makeLiveSession(ctx: Context, parts: LiveSessionParts): LiveSession {
  const { row, actor, device, entry } = parts;
  const streams = new Set<Duplex>();
  const listeners = new Set<(reason: string) => void>();
  let lastActive = ctx.clock.now();
  let bytesIn = row.bytes_in;
  let bytesOut = row.bytes_out;
  let endedFor: string | undefined;
  const touch = (): void => {
    lastActive = ctx.clock.now();
  };
  const place = { clock: ctx.clock, dataDir: ctx.config.dataDir };
  const recording: OpenRecording | undefined =
    parts.recordingSize &&
    (isDesktop(row.protocol)
      ? openDesktopRecording(place, row)
      : openRecording(place, { id: row.id, title: `${device.name}: ${entry.name}`, size: parts.recordingSize }));

  const session: LiveSession = {
    id: row.id,
    kind: row.protocol,
    row,
    actor,
    device: { id: device.id, name: device.name, company_id: device.company_id },
    entry: {
      ...{ id: entry.id, name: entry.name, host: entry.host, port: entry.port },
      ...{ domain: entry.login_domain, keyboard: entry.keyboard, loginForm: entry.login_form },
    },
    // Links give the right to connect, and no more.
    hasClipboard: isDesktop(row.protocol) && row.link_id === null && can(actor, 'use_remote_clipboard'),
    expiresAt: row.expires_at,
    recording,
    touch,
    lastActiveAt: () => lastActive,
    bytes: () => ({ bytes_in: bytesIn, bytes_out: bytesOut, recording_bytes: recording?.bytes() ?? 0 }),
    endReason: () => endedFor,
    async openStream() {
      if (endedFor !== undefined) throw new RemoteError('closed');
      const inner = await parts.connect();
      const stream = countedStream(inner, (sent, received) => {
        bytesIn += sent;
        bytesOut += received;
        touch();
      });
      // It may have ended while the connection was made.
      if (endedFor !== undefined) {
        stream.destroy();
        throw new RemoteError('closed');
      }
      streams.add(stream);
      stream.on('close', () => streams.delete(stream));
      // The handler has its own listener; without one a broken connection would end the process.
      stream.on('error', () => undefined);
      return stream;
    },
    async credentials() {
      if (entry.sealed_credentials === null) return undefined;
      return JSON.parse(openSealed(ctx.secretKey, credentialsPurpose(entry.id), entry.sealed_credentials)) as {
        username?: string;
        password?: string;
      };
    },
    onEnd(listener) {
      if (endedFor === undefined) listeners.add(listener);
      else listener(endedFor);
    },
    end: (reason) => void session.finish(reason),
    async finish(reason) {
      if (endedFor !== undefined) return;
      endedFor = reason;
      for (const listener of listeners) {
        try {
          listener(reason);
        } catch (error) {
          ctx.log.error({ err: error, session: row.id }, 'a remote session did not end as it should');
        }
      }
      for (const stream of streams) stream.destroy();
      await recording?.close();
      parts.ended(session, reason);
    },
  };
  return session;
}
