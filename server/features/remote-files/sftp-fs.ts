import { Readable } from 'node:stream';
import type { Attributes, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { exactLength } from '../../kernel/exact-length.ts';
import { FileFaultError, type FileFacts, type FileWriter, type Range, type RemoteFs } from './remote-fs.ts';

/** One request carries so much to OpenSSH, which takes 256 KB; for other servers ssh2 makes pieces of 32 KB of it. */
const PIECE_BYTES = 128 * 1024;
/** Requests under way at once: with one at a time each piece would cost a round trip. */
const READS_AT_ONCE = 16;
const WRITES_AT_ONCE = 16;
const KIND_BITS = 0o170000;
const LINKS_AT_ONCE = 16;
const EOF = 1;

type Callback<T> = (error: Error | null | undefined, value: T) => void;

function faultOf(error: Error & { code?: number }): FileFaultError {
  const { message, code } = error;
  if (code === 2 || /no such file/i.test(message)) return new FileFaultError('not-found', message);
  if (code === 3) return new FileFaultError('denied', message);
  if (code === 8) return new FileFaultError('unsupported', message);
  if (code === 11) return new FileFaultError('exists', message);
  if (/no space|quota/i.test(message)) return new FileFaultError('no-space', message);
  return new FileFaultError('failed', message);
}

/** One call of ssh2 as a promise. */
function ask<T>(start: (callback: Callback<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(faultOf(error)) : resolve(value)));
  });
}

function kindOf(mode: number): RemoteFile['kind'] {
  const kinds: Record<number, RemoteFile['kind']> = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link' };
  return kinds[mode & KIND_BITS] ?? 'other';
}

const factsOf = ({ mode, size, mtime }: Attributes | Stats): FileFacts => ({
  kind: kindOf(mode),
  // More than can be counted is no size.
  size: Number.isSafeInteger(size) ? size : 0,
  modified: mtime,
  mode: mode & 0o7777,
});

/** `-rw-r--r--    1 root     wheel   …` has the names that the numbers belong to. */
function ownersOf({ longname, attrs }: FileEntryWithStats): { owner: string; group: string } {
  const [, , owner, group] = longname.split(/\s+/, 5);
  return { owner: owner || String(attrs.uid), group: group || String(attrs.gid) };
}

const toFile = (entry: FileEntryWithStats): RemoteFile => {
  const facts = factsOf(entry.attrs);
  return { name: entry.filename, ...facts, ...ownersOf(entry), is_folder: facts.kind === 'folder' };
};

async function readEntries(sftp: SFTPWrapper, path: string, most: number): Promise<{ entries: FileEntryWithStats[]; isCut: boolean }> {
  const handle = await ask<Buffer>((done) => sftp.opendir(path, done));
  const entries: FileEntryWithStats[] = [];
  try {
    for (;;) {
      const more = await new Promise<FileEntryWithStats[]>((resolve, reject) => {
        sftp.readdir(handle, (error: (Error & { code?: number }) | undefined | null, list) => {
          if (error) return error.code === EOF ? resolve([]) : reject(faultOf(error));
          return resolve(list);
        });
      });
      if (more.length === 0) return { entries, isCut: false };
      entries.push(...more.filter(({ filename }) => filename !== '.' && filename !== '..'));
      if (entries.length > most) return { entries: entries.slice(0, most), isCut: true };
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

/** Links to folders are opened like folders. */
async function followLinks(sftp: SFTPWrapper, path: string, files: RemoteFile[]): Promise<void> {
  const links = files.filter(({ kind }) => kind === 'link').slice(0, 500);
  for (let start = 0; start < links.length; start += LINKS_AT_ONCE)
    await Promise.all(
      links.slice(start, start + LINKS_AT_ONCE).map(async (file) => {
        const target = await ask<Stats>((done) => sftp.stat(`${path}/${file.name}`, done)).catch(() => undefined);
        file.is_folder = target !== undefined && kindOf(target.mode) === 'folder';
      }),
    );
}

/** One piece of an open file: shorter than asked only at its end. */
async function readPiece(sftp: SFTPWrapper, handle: Buffer, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = await new Promise<number>((resolve, reject) => {
      sftp.read(handle, piece, filled, length - filled, position + filled, (error: (Error & { code?: number }) | undefined, bytes) => {
        if (error) return error.code === EOF ? resolve(0) : reject(faultOf(error));
        return resolve(bytes);
      });
    });
    if (got === 0) break;
    filled += got;
  }
  return piece.subarray(0, filled);
}

async function* readPieces(sftp: SFTPWrapper, handle: Buffer, { start, end }: Range): AsyncGenerator<Buffer> {
  const waiting: { length: number; piece: Promise<Buffer> }[] = [];
  let position = start;
  try {
    for (;;) {
      while (waiting.length < READS_AT_ONCE && position <= end) {
        const length = Math.min(PIECE_BYTES, end - position + 1);
        const piece = readPiece(sftp, handle, position, length);
        // Waited for later, or not at all when the reader goes away.
        piece.catch(() => undefined);
        waiting.push({ length, piece });
        position += length;
      }
      const next = waiting.shift();
      if (!next) return;
      const piece = await next.piece;
      if (piece.length > 0) yield piece;
      if (piece.length < next.length) return;
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

function openWriter(sftp: SFTPWrapper, handle: Buffer, offset: number): FileWriter {
  let position = offset;
  let written = offset;
  let underWay = 0;
  let failure: FileFaultError | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  let listener: (bytes: number) => void = () => undefined;

  const until = async (isFine: () => boolean): Promise<void> => {
    const isSettled = (): boolean => failure !== undefined || isFine();
    while (!isSettled()) await new Promise<void>((resolve) => void (wake = resolve));
    if (failure) throw failure;
  };
  const settle = (error: Error | null | undefined, bytes: number): void => {
    underWay -= 1;
    if (error) failure ??= faultOf(error);
    else written += bytes;
    listener(written);
    wake?.();
  };
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    sftp.close(handle, () => undefined);
  };
  return {
    async write(piece) {
      for (let start = 0; start < piece.length; start += PIECE_BYTES) {
        await until(() => underWay < WRITES_AT_ONCE);
        const length = Math.min(PIECE_BYTES, piece.length - start);
        underWay += 1;
        sftp.write(handle, piece, start, length, position, (error) => settle(error, length));
        position += length;
      }
    },
    onWritten(next) {
      listener = next;
    },
    async end() {
      await until(() => underWay === 0);
      isOver = true;
      await ask<void>((done) => sftp.close(handle, (error) => done(error, undefined)));
    },
    abort() {
      failure ??= new FileFaultError('cancelled');
      wake?.();
      close();
    },
  };
}

async function replace(sftp: SFTPWrapper, path: string, to: string): Promise<void> {
  try {
    await ask<void>((done) => sftp.ext_openssh_rename(path, to, (error) => done(error as Error | undefined, undefined)));
  } catch (error) {
    // Servers other than OpenSSH: ssh2 throws for an extension that is not offered.
    if (error instanceof FileFaultError && (error.code === 'not-found' || error.code === 'denied')) throw error;
    await ask<void>((done) => sftp.unlink(to, (failure) => done(failure as Error | undefined, undefined))).catch(() => undefined);
    await ask<void>((done) => sftp.rename(path, to, (failure) => done(failure as Error | undefined, undefined)));
  }
}

/** The files of a server that speaks SFTP. */
export function openSftpFs(sftp: SFTPWrapper): RemoteFs {
  const done = (start: (callback: (error: Error | null | undefined) => void) => unknown): Promise<void> =>
    ask<void>((callback) => start((error) => callback(error, undefined)));

  const fs: RemoteFs = {
    way: 'sftp',
    home: () => ask<string>((callback) => sftp.realpath('.', callback)),
    async list(path, most) {
      const { entries, isCut } = await readEntries(sftp, path, most);
      const files = entries.map(toFile);
      await followLinks(sftp, path, files);
      return { files, is_cut: isCut };
    },
    facts: async (path) => factsOf(await ask<Stats>((callback) => sftp.stat(path, callback))),
    real: (path) => ask<string>((callback) => sftp.realpath(path, callback)),
    async read(path, range) {
      const handle = await ask<Buffer>((callback) => sftp.open(path, 'r', callback));
      const pieces = readPieces(sftp, handle, range ?? { start: 0, end: Number.MAX_SAFE_INTEGER });
      const content = Readable.from(pieces, { objectMode: false });
      return range ? exactLength(content, range.end - range.start + 1) : content;
    },
    async write(path, offset) {
      const handle = await ask<Buffer>((callback) => sftp.open(path, offset === 0 ? 'w' : 'r+', callback));
      return openWriter(sftp, handle, offset);
    },
    makeFolder: (path) => done((callback) => sftp.mkdir(path, callback)),
    rename: (path, to) => replace(sftp, path, to),
    removeFile: (path) => done((callback) => sftp.unlink(path, callback)),
    async removeFolder(path) {
      for (;;) {
        const { entries, isCut } = await readEntries(sftp, path, 1000);
        for (const { filename, attrs } of entries) {
          const inner = `${path}/${filename}`;
          if (kindOf(attrs.mode) === 'folder') await fs.removeFolder(inner);
          else await fs.removeFile(inner);
        }
        if (!isCut) break;
      }
      await done((callback) => sftp.rmdir(path, callback));
    },
    setMode: (path, mode) => done((callback) => sftp.chmod(path, mode, callback)),
  };
  return fs;
}
