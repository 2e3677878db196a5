import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { File } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { FileContentMissing } from '../../domain/files/errors.ts';
import { presentFile, type FileRow } from '../../domain/files/present-file.ts';
import { FilesNotComparable } from './errors.ts';
import { unifiedDiff } from './line-diff.ts';
import { memberOf, readArchive, type Member } from './read-archive.ts';
import { requireFile } from './service.ts';

const MAX_PACKED_BYTES = 20 * 1024 * 1024;
const MAX_EDITS = 1000;
const MAX_SHOWN_BYTES = 1024 * 1024;

/** How one file of two backups differs. `diff`: hunks of a unified diff; null where lines cannot be compared. */
export interface FileDiff {
  path: string;
  state: 'added' | 'removed' | 'changed';
  diff: string | null;
}

export interface Comparison {
  from: File;
  to: File;
  files: FileDiff[];
  /** How many files are the same in both. */
  equal: number;
  /** Not all differences are shown. */
  is_cut: boolean;
}

async function membersOf(ctx: Context, row: FileRow): Promise<Map<string, Member>> {
  if (row.size > MAX_PACKED_BYTES) throw new FilesNotComparable({ name: row.name });
  const content = await ctx.files.read(row.content_key);
  if (!content) throw new FileContentMissing({});
  const bytes = await buffer(content);
  const members = await readArchive(bytes);
  if (members) return members;
  const whole = memberOf(bytes);
  // A configuration that is one text is compared as one file.
  if (whole.text === undefined) throw new FilesNotComparable({ name: row.name });
  return new Map([['', whole]]);
}

function diffOf(before: Member | undefined, after: Member | undefined): string | null {
  if ((before && before.text === undefined) || (after && after.text === undefined)) return null;
  return unifiedDiff(before?.text ?? '', after?.text ?? '', { maxEdits: MAX_EDITS }) ?? null;
}

/**
 * Compares two backups, or two other archives or texts, file by file. Nothing of them touches the disk. Throws NOT_FOUND, FILE_CONTENT_MISSING,
 * FILES_NOT_COMPARABLE for what is neither a tar.gz within the limits nor a text.
 */
export async function compareFiles(ctx: Context, actor: Actor, id: number, otherId: number): Promise<Comparison> {
  const [from, to] = [await requireFile(ctx.reads, actor, id), await requireFile(ctx.reads, actor, otherId)];
  const [before, after] = [await membersOf(ctx, from), await membersOf(ctx, to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const files: FileDiff[] = [];
  let [equal, shownBytes] = [0, 0];
  for (const path of paths) {
    const [first, second] = [before.get(path), after.get(path)];
    if (first && second && first.bytes.equals(second.bytes)) {
      equal += 1;
      continue;
    }
    await nextTurn();
    const diff = shownBytes > MAX_SHOWN_BYTES ? null : diffOf(first, second);
    shownBytes += diff?.length ?? 0;
    files.push({ path: path === '' ? to.name : path, state: first ? (second ? 'changed' : 'removed') : 'added', diff });
  }
  return { from: presentFile(from), to: presentFile(to), files, equal, is_cut: shownBytes > MAX_SHOWN_BYTES };
}
