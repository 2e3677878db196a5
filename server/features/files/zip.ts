import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { stream, type Answer } from '../../kernel/answer.ts';
import { attachmentOf } from '../../domain/files/content-headers.ts';
import { FileContentMissing } from '../../domain/files/errors.ts';
import { isFirmware } from '../../domain/files/file-name.ts';
import type { FileRow } from '../../domain/files/present-file.ts';
import { requireFiles } from './service.ts';

/** `backup.tar` twice → `backup.tar`, `backup (2).tar`, whatever case they are written in. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf('.');
    const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${end}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

async function packFiles(ctx: Context, rows: readonly FileRow[]): Promise<Readable> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = new PassThrough();
  let open: Readable | undefined;
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  const names = distinctNames(rows.map((row) => row.name));
  for (const [index, row] of rows.entries()) {
    // Firmware is packed already: trying again would only cost time.
    const options = { mtime: new Date(row.created_at), compress: !isFirmware(row.type) };
    zip.addReadStreamLazy(names[index] ?? row.name, options, (take) => {
      ctx.files.read(row.content_key).then(
        (content) => {
          if (!content) return output.destroy(new FileContentMissing({}));
          open = content;
          take(undefined, content);
        },
        (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }
  zip.end();
  // Who stops a download in the middle leaves no file open.
  pipeline(zip.outputStream, output, () => void open?.destroy());
  return output;
}

/** Files as one ZIP, made while it is sent. Throws NOT_FOUND at `files.<index>`. */
export async function downloadZip(ctx: Context, actor: Actor, ids: readonly number[]): Promise<Answer> {
  const rows = await requireFiles(ctx.reads, actor, ids, 'files');
  const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
  return stream(await packFiles(ctx, rows), { 'content-type': 'application/zip', 'content-disposition': attachmentOf(`files-${day}.zip`) });
}
