import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { TerminalHello } from '../../../schemas/kit/devices/remote-wire.ts';
import type { Context } from '../../context.ts';
import { personOf } from '../../kernel/actor.ts';
import { openSsh } from '../../domain/remote/open-ssh.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { createTalk, type Talk } from '../../domain/remote/console-exchange.ts';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { HeldShell, readSize } from './held-shell.ts';
import { openSshShell, openTelnetShell, type Shell, type Size } from './shells.ts';

/** The shells of this process that a console can come back to, by what `open` gave it. */
const held = new Map<string, { shell: HeldShell; person: number; entry: number; recorded: boolean }>();

async function openShell(ctx: Context, session: RemoteSession, talk: Talk, size: Size): Promise<Shell> {
  if (session.kind === 'ssh') return openSshShell(await openSsh(ctx, session, talk), size);
  const [stream, credentials] = await Promise.all([session.openStream(), session.credentials()]).catch((error: unknown) => {
    throw new RemoteFault('unreachable', error instanceof Error ? error.message : '');
  });
  return openTelnetShell(stream, size, { clock: ctx.clock, credentials });
}

function readHello(hello: unknown): { size: Size; resume: string | undefined; received: number } {
  const { resume, received } = (typeof hello === 'object' && hello !== null ? hello : {}) as Partial<TerminalHello>;
  return {
    size: readSize(hello),
    resume: typeof resume === 'string' ? resume : undefined,
    received: typeof received === 'number' && Number.isSafeInteger(received) && received > 0 ? received : 0,
  };
}

/** Serves one console of an SSH or Telnet session until either side has enough. */
export async function relayTerminal(ctx: Context, session: RemoteSession, socket: WebSocket, hello: unknown): Promise<void> {
  const talk = createTalk(socket);
  const { size, resume, received } = readHello(hello);
  const before = resume === undefined ? undefined : held.get(resume);
  if (resume !== undefined && before?.person === personOf(session.actor) && before.entry === session.entry.id) {
    const { shell, recorded } = before;
    session.onEnd((reason) => reason !== 'left' && shell.end('ended'));
    const endSession = (): void => session.end('ended');
    return shell.attach(talk, { received, size, endSession, opened: (from) => talk.send({ type: 'open', resume, from, recorded }) });
  }
  const recorded = session.recording !== undefined;
  try {
    const opened = await openShell(ctx, session, talk, size);
    const token = randomBytes(18).toString('base64url');
    const shell = new HeldShell({
      sessionId: session.id,
      clock: ctx.clock,
      shell: opened,
      // What is typed may be a password: what the remote side shows is all that is kept.
      record: (direction, data) => void (direction !== 'i' && session.recording?.write(direction, data)),
      onOver() {
        held.delete(token);
        session.end('ended');
      },
    });
    held.set(token, { shell, person: personOf(session.actor), entry: session.entry.id, recorded });
    session.onEnd(() => shell.end('ended'));
    shell.attach(talk, {
      received: 0,
      size,
      endSession: () => session.end('ended'),
      opened: () =>
        talk.send({ type: 'open', resume: token, from: 0, recorded, ...(session.kind === 'telnet' ? { warnings: ['plain-text'] } : {}) }),
    });
  } catch (error) {
    const fault = error instanceof RemoteFault ? error : new RemoteFault('protocol', error instanceof Error ? error.message : '');
    talk.sendEnd(fault.reason, fault.message);
    session.end('ended');
  }
}
