import type { WebSocket } from 'ws';
import type { Client, SFTPWrapper } from 'ssh2';
import type { ClientMessage, FileCall } from '../../../schemas/kit/devices/remote-wire.ts';
import type { Context } from '../../context.ts';
import { personOf } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { openSsh, originOfSession } from '../../domain/remote/open-ssh.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { createTalk, type Talk } from '../../domain/remote/console-exchange.ts';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { openExecFs } from './exec-fs.ts';
import { runFileCall } from './file-calls.ts';
import { FileFaultError, type RemoteFs } from './remote-fs.ts';
import { openSftpFs } from './sftp-fs.ts';
import { Uploads } from './uploads.ts';

/** The files that this process has open, by session: downloads are calls of their own. */
const open = new Map<number, { fs: RemoteFs; person: number; session: RemoteSession }>();

/** The files of a session of this person, if it is open here. */
export function findOpenFiles(sessionId: number, person: number): { fs: RemoteFs; session: RemoteSession } | undefined {
  const found = open.get(sessionId);
  return found?.person === person ? found : undefined;
}

async function openFs(client: Client, now: () => number): Promise<RemoteFs> {
  const sftp = await new Promise<SFTPWrapper | undefined>((resolve) => {
    client.sftp((error, opened) => resolve(error ? undefined : opened));
  });
  return sftp ? openSftpFs(sftp) : openExecFs(client, now);
}

const CHANGES: ReadonlySet<FileCall['op']> = new Set(['make-folder', 'rename', 'remove', 'permissions', 'write']);

/** Writes down what was done to the files of a device. */
export async function recordFileCall(
  ctx: Context,
  session: RemoteSession,
  after: Record<string, string | number | boolean>,
): Promise<void> {
  const { device, actor } = session;
  await inTransaction(ctx.db, (trx) =>
    writeAudit(trx, { actor, origin: originOfSession(session), at: ctx.clock.now() }, [
      {
        action: 'devices.change-remote-file',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: null,
        after: { ...after, session: session.id },
      },
    ]),
  );
}

const factsOf = (call: FileCall): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(call).flatMap(([name, value]) =>
      name === 'text' || name === 'version' || typeof value === 'object'
        ? []
        : [[name, typeof value === 'string' ? value.slice(0, 500) : value]],
    ),
  );

async function runCall(
  ctx: Context,
  session: RemoteSession,
  { id, call }: Extract<ClientMessage, { type: 'call' }>,
  parts: { fs: RemoteFs; uploads: Uploads },
) {
  const { fs, uploads } = parts;
  if (call.op === 'upload') {
    const begun = await uploads.begin(id, call);
    await recordFileCall(ctx, session, factsOf(call));
    return begun;
  }
  if (call.op === 'upload-end') return uploads.end(call.upload);
  if (call.op === 'cancel') return uploads.cancel(call.upload);
  const result = await runFileCall(fs, call);
  if (CHANGES.has(call.op)) await recordFileCall(ctx, session, factsOf(call));
  return result;
}

function answerCall(
  ctx: Context,
  session: RemoteSession,
  talk: Talk,
  message: ClientMessage,
  parts: { fs: RemoteFs; uploads: Uploads },
): void {
  if (message.type !== 'call' || typeof message.call !== 'object' || message.call === null || !Number.isSafeInteger(message.id)) return;
  const { id } = message;
  runCall(ctx, session, message, parts).then(
    (result) => talk.send({ type: 'result', id, result: result ?? null }),
    (error: unknown) => {
      if (!(error instanceof FileFaultError)) ctx.log.warn({ err: error, session: session.id }, 'a call to remote files failed');
      const fault = error instanceof FileFaultError ? error : new FileFaultError('failed');
      talk.send({ type: 'fault', id, code: fault.code, message: fault.message.slice(0, 500) });
    },
  );
}

/** Serves the files of one session: lists, changes, uploads; downloads come by `findOpenFiles`. */
export async function relayFiles(ctx: Context, session: RemoteSession, socket: WebSocket): Promise<void> {
  const talk = createTalk(socket);
  try {
    const client = await openSsh(ctx, session, talk);
    session.onEnd(() => client.end());
    client.on('close', () => session.end('ended'));
    const fs = await openFs(client, () => ctx.clock.now());
    const uploads = new Uploads(fs, talk);
    open.set(session.id, { fs, person: personOf(session.actor), session });
    session.onEnd(() => {
      open.delete(session.id);
      uploads.drop();
    });
    talk.onMessage((message) => answerCall(ctx, session, talk, message, { fs, uploads }));
    talk.send({ type: 'open', recorded: false, home: await fs.home(), ways: fs.way });
  } catch (error) {
    const fault = error instanceof RemoteFault ? error : new RemoteFault('protocol', error instanceof Error ? error.message : '');
    talk.sendEnd(fault.reason, fault.message);
    session.end('ended');
  }
}
