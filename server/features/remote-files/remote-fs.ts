import type { Readable } from 'node:stream';
import type { FileFault, RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';

/** Why something with a remote file did not work; the code goes to the console. */
export class FileFaultError extends Error {
  override name = 'FileFaultError';
  readonly code: FileFault;

  constructor(code: FileFault, detail = '') {
    super(detail);
    this.code = code;
  }
}

export interface FileWriter {
  /** Resolves once there is room for more. Throws FileFaultError, also for an earlier piece. */
  write(piece: Buffer): Promise<void>;
  /** Bytes that the remote side has confirmed. */
  onWritten(listener: (bytes: number) => void): void;
  /** Resolves when everything is written. */
  end(): Promise<void>;
  abort(): void;
}

export type FileFacts = Pick<RemoteFile, 'kind' | 'size' | 'modified' | 'mode'>;

export interface Range {
  start: number;
  /** The last byte, as in HTTP. */
  end: number;
}

/** The files of a remote side, by SFTP or by what a shell has. All throw FileFaultError. */
export interface RemoteFs {
  way: 'sftp' | 'exec';
  home(): Promise<string>;
  list(path: string, most: number): Promise<{ files: RemoteFile[]; is_cut: boolean }>;
  /** Follows links. */
  facts(path: string): Promise<FileFacts>;
  /** Where something lies that is there, without links: what is written in the place of a link would end it. */
  real(path: string): Promise<string>;
  read(path: string, range: Range | undefined): Promise<Readable>;
  /** Writes from an offset on; from 0 the file begins again. */
  write(path: string, offset: number): Promise<FileWriter>;
  makeFolder(path: string): Promise<void>;
  /** Replaces what is there. */
  rename(path: string, to: string): Promise<void>;
  removeFile(path: string): Promise<void>;
  /** With everything in it. */
  removeFolder(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
}

const LONGEST_PATH = 4096;

/** A path that may be used: absolute, without `.` and `..`. Throws FileFaultError. */
export function cleanPath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > LONGEST_PATH || path.includes('\0'))
    throw new FileFaultError('not-found');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether the facts are there; a fault other than `not-found` is thrown on. */
export async function findFacts(fs: RemoteFs, path: string): Promise<FileFacts | undefined> {
  try {
    return await fs.facts(path);
  } catch (error) {
    if (error instanceof FileFaultError && error.code === 'not-found') return undefined;
    throw error;
  }
}
