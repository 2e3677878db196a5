import type { Client } from 'ssh2';
import type { Context } from '../../context.ts';
import type { Origin } from '../../kernel/actor.ts';
import { keepKey, knownKeys } from './host-keys.ts';
import { connectSsh, RemoteFault } from './ssh-client.ts';
import type { Talk } from './console-exchange.ts';
import type { RemoteSession } from './types.ts';

/** Servers refuse further handshakes at random above ten (MaxStartups of sshd). */
const HANDSHAKES_PER_HOST = 5;
const TRIES = 3;
const busy = new Map<string, { count: number; waiting: (() => void)[] }>();

async function takeTurn(host: string): Promise<() => void> {
  const turn = busy.get(host) ?? { count: 0, waiting: [] };
  busy.set(host, turn);
  if (turn.count >= HANDSHAKES_PER_HOST) await new Promise<void>((resolve) => void turn.waiting.push(resolve));
  turn.count += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    turn.count -= 1;
    turn.waiting.shift()?.();
    if (turn.count === 0 && turn.waiting.length === 0) busy.delete(host);
  };
}

async function usesLegacy(ctx: Context, entryId: number): Promise<boolean> {
  const row = await ctx.db.selectFrom('remote_legacy_entries').select('entry_id').where('entry_id', '=', entryId).executeTakeFirst();
  return row !== undefined;
}

/** Origin of what a person does in a session: the call that opened it is long answered. */
export const originOfSession = (session: RemoteSession): Origin => ({ ip: '', requestId: `remote-session-${session.id}`, userAgent: '' });

/** Signs in at the SSH server of a session; its person answers the questions. Throws RemoteFault. */
export async function openSsh(ctx: Context, session: RemoteSession, talk: Talk): Promise<Client> {
  const [known, legacy, credentials] = await Promise.all([
    knownKeys(ctx, session),
    usesLegacy(ctx, session.entry.id),
    session.credentials(),
  ]);
  const key = `${session.device.id} ${session.entry.host} ${session.entry.port}`;
  for (let tries = 1; ; tries += 1) {
    const release = await takeTurn(key);
    let wasAsked = false;
    try {
      const stream = await session.openStream().catch((error: unknown) => {
        throw new RemoteFault('unreachable', error instanceof Error ? error.message : '');
      });
      return await connectSsh({
        host: session.entry.host,
        port: session.entry.port,
        stream,
        credentials,
        known,
        legacy,
        ask(question) {
          wasAsked = true;
          // A person takes longer than a handshake.
          release();
          return talk.ask(question);
        },
        onTrusted: (found) => keepKey(ctx, session, originOfSession(session), found),
      });
    } catch (error) {
      const isBusy = error instanceof RemoteFault && /before handshake|before the sign-in|ECONNRESET/.test(error.message);
      if (!isBusy || wasAsked || tries >= TRIES) throw error;
      await new Promise<void>((resolve) => void ctx.clock.after(200 * tries + Math.random() * 300, resolve));
    } finally {
      release();
    }
  }
}
