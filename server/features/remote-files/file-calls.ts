import { createHash } from 'node:crypto';
import { EDIT_LIMIT_BYTES, LIST_LIMIT, type FileCall, type FileList, type FileText } from '../../../schemas/kit/devices/remote-wire.ts';
import { cleanPath, FileFaultError, findFacts, type RemoteFs } from './remote-fs.ts';

const MODE_BITS = 0o7777;

async function readAll(fs: RemoteFs, path: string): Promise<Buffer> {
  const { kind, size } = await fs.facts(path);
  if (kind === 'folder') throw new FileFaultError('not-text');
  if (size > EDIT_LIMIT_BYTES) throw new FileFaultError('too-large');
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of await fs.read(path, undefined)) {
    length += (part as Buffer).length;
    if (length > EDIT_LIMIT_BYTES) throw new FileFaultError('too-large');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

const versionOf = (content: Buffer): string => createHash('sha256').update(content).digest('base64url');

function decode(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new FileFaultError('not-text');
  }
}

async function readText(fs: RemoteFs, path: string): Promise<FileText> {
  const content = await readAll(fs, path);
  if (content.includes(0)) throw new FileFaultError('not-text');
  return { text: decode(content), version: versionOf(content), mode: (await fs.facts(path)).mode };
}

async function writeText(fs: RemoteFs, { path: given, text, version, overwrite }: Extract<FileCall, { op: 'write' }>): Promise<FileText> {
  const path = cleanPath(given);
  const content = Buffer.from(String(text), 'utf8');
  if (content.length > EDIT_LIMIT_BYTES) throw new FileFaultError('too-large');
  const before = await findFacts(fs, path);
  if (version === undefined ? before && overwrite !== true : overwrite !== true) {
    if (version === undefined) throw new FileFaultError('exists');
    if (!before || versionOf(await readAll(fs, path)) !== version) throw new FileFaultError('changed');
  }
  const target = before ? await fs.real(path) : path;
  const part = `${target}.part`;
  const writer = await fs.write(part, 0);
  if (content.length > 0) await writer.write(content);
  await writer.end();
  if (before) await fs.setMode(part, before.mode);
  await fs.rename(part, target);
  return { text: content.toString('utf8'), version: versionOf(content), mode: (await fs.facts(path)).mode };
}

async function remove(fs: RemoteFs, { path: given, recursive }: Extract<FileCall, { op: 'remove' }>): Promise<void> {
  const path = cleanPath(given);
  if (path === '/') throw new FileFaultError('denied');
  if (recursive === true) await fs.removeFolder(path);
  else await fs.removeFile(path);
}

async function rename(fs: RemoteFs, given: Extract<FileCall, { op: 'rename' }>): Promise<void> {
  const [path, to] = [cleanPath(given.path), cleanPath(given.to)];
  if (path === to) return;
  if (await findFacts(fs, to)) throw new FileFaultError('exists');
  await fs.rename(path, to);
}

/** Runs one call to the files of a session, but for uploads. Throws FileFaultError. */
export async function runFileCall(fs: RemoteFs, call: FileCall): Promise<unknown> {
  switch (call.op) {
    case 'list': {
      const path = cleanPath(call.path);
      return { path, ...(await fs.list(path, LIST_LIMIT)) } satisfies FileList;
    }
    case 'make-folder':
      return fs.makeFolder(cleanPath(call.path));
    case 'rename':
      return rename(fs, call);
    case 'remove':
      return remove(fs, call);
    case 'permissions':
      if (!Number.isSafeInteger(call.mode) || call.mode < 0 || call.mode > MODE_BITS) throw new FileFaultError('failed');
      return fs.setMode(cleanPath(call.path), call.mode);
    case 'read':
      return readText(fs, cleanPath(call.path));
    case 'write':
      return writeText(fs, call);
    default:
      throw new FileFaultError('unsupported');
  }
}
