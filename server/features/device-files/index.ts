import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Type } from '../../kernel/type.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { ok, stream, type Answer } from '../../kernel/answer.ts';
import { wireTime } from '../../kernel/clock.ts';
import { isDevicePassword } from '../../domain/devices/credentials.ts';
import { NotFound } from '../../kernel/errors.ts';
import { answerWithFile } from '../../domain/files/answer-with-file.ts';
import { insertFile, keepFile } from '../../domain/files/keep-file.ts';
import { requireUpload, type Upload } from '../../kernel/http/uploads.ts';
import type { OpenCommand } from '../../domain/jobs/types.ts';
import { route, type App } from '../../kernel/route.ts';

const MAX_FILE_BYTES = 80 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
const CALLS_PER_MINUTE = 60_000;
/** Types of files that hold all settings of a device. */
const BACKUPS: ReadonlySet<string> = new Set(['config', 'periodic_backup']);
const tag = 'devices for devices';
const params = Type.Object({ command: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) });

/** The device that signs a call with its MQTT credential (HTTP Basic). Throws NOT_FOUND, the same for every fault. */
async function requireCallingDevice(ctx: Context, header: string | undefined): Promise<Row<'devices'>> {
  const [, coded = ''] = /^Basic ([A-Za-z0-9+/=]{1,400})$/i.exec(header ?? '') ?? [];
  const [, key = '', password = ''] = /^([a-z0-9]{20}):(.{1,200})$/.exec(Buffer.from(coded, 'base64').toString('utf8')) ?? [];
  const device =
    key === '' ? undefined : await ctx.reads.selectFrom('devices').selectAll().where('device_key', '=', key).executeTakeFirst();
  if (!isDevicePassword(password, device?.credential_hash) || !device || device.quarantine !== null) throw new NotFound({});
  return device;
}

/** The command that the calling device is at. Throws NOT_FOUND: another device's, one that is over, one whose time is up. */
async function requireCommand(ctx: Context, header: string | undefined, id: string): Promise<OpenCommand> {
  const device = await requireCallingDevice(ctx, header);
  const command = await ctx.jobs.openCommand(device.id, id);
  if (!command) throw new NotFound({});
  return command;
}

/** So many bytes that nothing can make shorter on their way. */
function* randomBytesOf(size: number): Generator<Buffer> {
  const block = randomBytes(Math.min(size, BLOCK_BYTES));
  for (let left = size; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block;
}

async function sendFile(ctx: Context, command: OpenCommand, request: Parameters<typeof answerWithFile>[2]): Promise<Answer> {
  const { fileId, exchangesBytes } = command.step;
  if (exchangesBytes !== undefined) {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(exchangesBytes) };
    return stream(Readable.from(randomBytesOf(exchangesBytes)), headers);
  }
  const row =
    fileId === undefined ? undefined : await ctx.reads.selectFrom('files').selectAll().where('id', '=', fileId).executeTakeFirst();
  if (!row) throw new NotFound({});
  return answerWithFile(ctx, row, request);
}

/** Keeps what a device sends for its command; a second try replaces the first. */
async function takeFile(ctx: Context, origin: Origin, { job, target, device, step }: OpenCommand, upload: Upload): Promise<void> {
  const { receives, exchangesBytes } = step;
  if (exchangesBytes !== undefined && upload.size <= exchangesBytes) return;
  if (!receives) throw new NotFound({});
  await keepFile(ctx, upload, async (trx, contentKey) => {
    const company = await trx.selectFrom('companies').selectAll().where('id', '=', device.company_id).executeTakeFirstOrThrow();
    const name = receives.name.replace('{time}', wireTime(ctx.clock.now()).slice(0, 16).replaceAll(':', '').replace(' ', '-'));
    const file = { name, type: receives.type, description: '', company, device, uploadedBy: job.created_by };
    const about = { upload, contentKey, device_model: device.model || null, version: device.firmware || null };
    const id = await insertFile(ctx, trx, { actor: null, origin }, { ...file, ...about });
    const before = target.file_id;
    const { numUpdatedRows } = await trx
      .updateTable('job_targets')
      .set({ file_id: id })
      .where('id', '=', target.id)
      .where('command_id', '=', target.command_id)
      .where('state', 'in', ['sent', 'running'])
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new NotFound({});
    if (BACKUPS.has(receives.type)) {
      const backup = { backed_up_at: ctx.clock.now(), backed_up_settings: null };
      await trx.updateTable('device_details').set(backup).where('device_id', '=', device.id).execute();
    }
    if (before !== null) await trx.deleteFrom('files').where('id', '=', before).execute();
  });
}

/** Files between devices and the server: each at the address of the command that asks for it, for the device that was given it, while it lasts. */
export function registerDeviceFiles(app: App): void {
  route(app, {
    method: 'GET',
    path: '/device-files/:command',
    access: 'public',
    summary: 'A device gets the file of the command that it is at, in ranges if it likes.',
    mediaType: 'application/octet-stream',
    tag,
    params,
    ratePerMinute: CALLS_PER_MINUTE,
    async handler({ ctx, params: { command }, request }) {
      return sendFile(ctx, await requireCommand(ctx, request.headers.authorization, command), request);
    },
  });
  route(app, {
    method: 'POST',
    path: '/device-files/:command',
    access: 'public',
    summary: 'A device gives the file that its command asks for.',
    tag,
    params,
    body: Type.Object({ file: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
    maxFileBytes: MAX_FILE_BYTES,
    ratePerMinute: CALLS_PER_MINUTE,
    async checkCaller(ctx, request) {
      const { command = '' } = request.params as { command?: string };
      await requireCommand(ctx, request.headers.authorization, command);
    },
    async handler({ ctx, params: { command }, body, request, origin }) {
      const open = await requireCommand(ctx, request.headers.authorization, command);
      await takeFile(ctx, origin, open, requireUpload(request, 'file', body.file));
      return ok();
    },
  });
}
