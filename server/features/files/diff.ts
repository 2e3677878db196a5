import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { File } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { runInHelper, type Helper } from '../../kernel/costly/helper-process.ts';
import { FileContentMissing } from '../../domain/files/errors.ts';
import { presentFile, type FileRow } from '../../domain/files/present-file.ts';
import type { ComparedFile, Differences } from './compare-worker.ts';
import { FilesNotComparable } from './errors.ts';
import { requireFile } from './service.ts';

const MAX_PACKED_BYTES = 20 * 1024 * 1024;
const HELPER: Helper = { entry: new URL('./compare-worker.ts', import.meta.url), heapMb: 192 };

export interface Comparison extends Differences {
  from: File;
  to: File;
}

/** Copies a content out of the store, for the helper to read. Throws FILE_CONTENT_MISSING, FILES_NOT_COMPARABLE. */
async function copyContent(ctx: Context, row: FileRow, path: string, signal: AbortSignal): Promise<ComparedFile> {
  if (row.size > MAX_PACKED_BYTES) throw new FilesNotComparable({ name: row.name });
  const content = await ctx.files.read(row.content_key);
  if (!content) throw new FileContentMissing({});
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  return { path, name: row.name };
}

/**
 * Compares two backups, or two other archives or texts, file by file, in a process of its own. Throws NOT_FOUND, FILE_CONTENT_MISSING,
 * FILES_NOT_COMPARABLE for what is neither a tar.gz within the limits nor a text.
 */
export async function compareFiles(ctx: Context, actor: Actor, [id, otherId]: [number, number], signal: AbortSignal): Promise<Comparison> {
  const [from, to] = [await requireFile(ctx.reads, actor, id), await requireFile(ctx.reads, actor, otherId)];
  const folder = join(ctx.config.dataDir, 'uploads');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const paths = [join(folder, randomUUID()), join(folder, randomUUID())] as const;
  try {
    const files = [await copyContent(ctx, from, paths[0], signal), await copyContent(ctx, to, paths[1], signal)];
    const differences = await runInHelper<ComparedFile[], Differences>(HELPER, files, signal);
    return { from: presentFile(from), to: presentFile(to), ...differences };
  } finally {
    for (const path of paths) await rm(path, { force: true });
  }
}
