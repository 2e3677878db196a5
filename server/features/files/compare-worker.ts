import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { serveHelper } from '../../kernel/costly/serve-helper.ts';
import { FilesNotComparable } from './errors.ts';
import { unifiedDiff } from './line-diff.ts';
import { visitArchive } from './read-archive.ts';

const MAX_TEXT_BYTES = 512 * 1024;
/** Of all texts that differ, of both sides. */
const MAX_TEXTS_BYTES = 32 * 1024 * 1024;
const MAX_EDITS = 1000;
const MAX_SHOWN_BYTES = 1024 * 1024;

/** How one file of two backups differs. `diff`: hunks of a unified diff; null where lines cannot be compared. */
export interface FileDiff {
  path: string;
  state: 'added' | 'removed' | 'changed';
  diff: string | null;
}

export interface Differences {
  files: FileDiff[];
  /** How many files are the same in both. */
  equal: number;
  /** Not all differences are shown. */
  is_cut: boolean;
}

/** A file on this machine, with the name that people know it by. */
export interface ComparedFile {
  path: string;
  name: string;
}

interface Side extends ComparedFile {
  isArchive: boolean;
  /** By the names of members; of a text alone it is empty. */
  members: Map<string, { size: number; hash: string }>;
}

/** Text in UTF-8 without control characters other than line ends and tabs; undefined for anything else. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- These characters mark a binary file.
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What a file holds, by sizes and hashes alone. Throws FILES_NOT_COMPARABLE. */
async function readSide({ path, name }: ComparedFile): Promise<Side> {
  const members: Side['members'] = new Map();
  const isArchive = await visitArchive(path, (member, size) => {
    const hash = createHash('sha256');
    return { take: (piece) => void hash.update(piece), end: () => void members.set(member, { size, hash: hash.digest('hex') }) };
  });
  if (isArchive) return { path, name, isArchive, members };
  // A configuration that is one text is compared as one file.
  const { size } = await stat(path);
  const bytes = size > MAX_TEXT_BYTES ? undefined : await readFile(path);
  if (!bytes || textOf(bytes) === undefined) throw new FilesNotComparable({ name });
  return { path, name, isArchive, members: new Map([['', { size, hash: createHash('sha256').update(bytes).digest('hex') }]]) };
}

/** The texts of these members; those that are none are left out. */
async function readTexts({ path, isArchive }: Side, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const add = (member: string, bytes: Buffer): void => {
    const text = textOf(bytes);
    if (text === undefined) texts.delete(member);
    else texts.set(member, text);
  };
  if (!isArchive) {
    if (wanted.has('')) add('', await readFile(path));
    return texts;
  }
  await visitArchive(path, (member, size) => {
    if (!wanted.has(member) || size > MAX_TEXT_BYTES) return undefined;
    const pieces: Buffer[] = [];
    return { take: (piece) => void pieces.push(piece), end: () => add(member, Buffer.concat(pieces)) };
  });
  return texts;
}

/** The members whose lines are compared: as many as the budget of texts allows, in the order of their names. */
function chooseTexts(before: Side, after: Side, differing: readonly string[]): { wanted: Set<string>; isCut: boolean } {
  const wanted = new Set<string>();
  let bytes = 0;
  for (const path of differing) {
    const sizes = [before.members.get(path)?.size ?? 0, after.members.get(path)?.size ?? 0];
    if (sizes.some((size) => size > MAX_TEXT_BYTES)) continue;
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > MAX_TEXTS_BYTES) return { wanted, isCut: true };
    wanted.add(path);
  }
  return { wanted, isCut: false };
}

function stateOf(path: string, before: Side, after: Side): FileDiff['state'] {
  if (!before.members.has(path)) return 'added';
  return after.members.has(path) ? 'changed' : 'removed';
}

async function compare([first, second]: [ComparedFile, ComparedFile]): Promise<Differences> {
  const before = await readSide(first);
  const after = await readSide(second);
  const paths = [...new Set([...before.members.keys(), ...after.members.keys()])].toSorted();
  const differing = paths.filter((path) => before.members.get(path)?.hash !== after.members.get(path)?.hash);
  const { wanted, isCut } = chooseTexts(before, after, differing);
  const texts = [await readTexts(before, wanted), await readTexts(after, wanted)] as const;
  let shownBytes = 0;
  const files = differing.map((path): FileDiff => {
    const isText = ([before, after] as const).every((side, index) => !side.members.has(path) || texts[index]?.has(path));
    const isShown = wanted.has(path) && isText && shownBytes <= MAX_SHOWN_BYTES;
    const [old = '', fresh = ''] = texts.map((side) => side.get(path));
    const diff = isShown ? (unifiedDiff(old, fresh, { maxEdits: MAX_EDITS }) ?? null) : null;
    shownBytes += diff?.length ?? 0;
    return { path: path === '' ? second.name : path, state: stateOf(path, before, after), diff };
  });
  return { files, equal: paths.length - differing.length, is_cut: isCut || shownBytes > MAX_SHOWN_BYTES };
}

serveHelper(compare);
