import { PassThrough } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { exactLength } from '../../kernel/exact-length.ts';
import { FileFaultError, type FileWriter, type RemoteFs } from './remote-fs.ts';

const OUTPUT_LIMIT = 8 * 1024 * 1024;
const ERROR_LIMIT = 2000;

/** A text as one word of a POSIX shell. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function faultOf(said: string, code: number): FileFaultError {
  const text = said.trim() || `exit code ${code}`;
  if (/no such file|not found|nonexistent/i.test(text)) return new FileFaultError('not-found', text);
  if (/denied|not permitted|read-only/i.test(text)) return new FileFaultError('denied', text);
  if (/no space/i.test(text)) return new FileFaultError('no-space', text);
  if (/exists/i.test(text)) return new FileFaultError('exists', text);
  return new FileFaultError('failed', text);
}

/** A running command. `ended` resolves once it ended well, and rejects with FileFaultError otherwise. */
interface Command {
  channel: ClientChannel;
  ended: Promise<void>;
}

function open(client: Client, command: string): Promise<Command> {
  return new Promise((resolve, reject) => {
    client.exec(`LC_ALL=C; export LC_ALL; ${command}`, (error, channel) => {
      if (error) reject(new FileFaultError('failed', error.message));
      // @NOTE At once: output, exit code and end of a quick command may come in the same packet as the answer to this.
      else resolve({ channel, ended: endOf(channel) });
    });
  });
}

function endOf(channel: ClientChannel): Promise<void> {
  let said = '';
  let code = 0;
  channel.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString('utf8')).slice(0, ERROR_LIMIT);
  });
  channel.on('exit', (given: number | null) => {
    code = given ?? 1;
  });
  const ended = new Promise<void>((resolve, reject) => {
    channel.on('close', () => (code === 0 ? resolve() : reject(faultOf(said, code))));
  });
  ended.catch(() => undefined);
  return ended;
}

async function run(client: Client, command: string): Promise<string> {
  const { channel, ended } = await open(client, command);
  const parts: Buffer[] = [];
  let length = 0;
  channel.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= OUTPUT_LIMIT) parts.push(part);
    else channel.close();
  });
  await ended;
  return Buffer.concat(parts).toString('utf8');
}

const KINDS: Record<string, RemoteFile['kind']> = { '-': 'file', d: 'folder', l: 'link' };

/** `rwsr-x--T` as bits. */
function modeOf(letters: string): number {
  let mode = 0;
  for (const [index, letter] of [...letters.slice(0, 9)].entries()) {
    if (letter !== '-' && letter !== 'S' && letter !== 'T') mode |= 1 << (8 - index);
    if (/[sS]/.test(letter)) mode |= index === 2 ? 0o4000 : 0o2000;
    if (/[tT]/.test(letter)) mode |= 0o1000;
  }
  return mode;
}

/** `2026-11-24 08:15:20 +0000`, `Nov 24 08:15`, `Nov 24  2025` as Unix seconds; 0 for anything else. */
function timeOf(text: string, now: number): number {
  const full = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\S*(?: ([+-]\d{4}))?/.exec(text);
  if (full) return Math.floor(Date.parse(`${full[1]}T${full[2]}${full[3] ?? 'Z'}`) / 1000) || 0;
  const short = /^(\w{3}) +(\d+) +(?:(\d{4})|(\d\d:\d\d))/.exec(text);
  if (!short) return 0;
  const year = Number(short[3] ?? new Date(now).getUTCFullYear());
  const at = Date.parse(`${short[2]} ${short[1]} ${year} ${short[4] ?? '00:00'} UTC`);
  const isAhead = short[3] === undefined && at > now + 86_400_000;
  return Math.floor((isAhead ? Date.parse(`${short[2]} ${short[1]} ${year - 1} ${short[4] ?? '00:00'} UTC`) : at) / 1000) || 0;
}

// `-rw-r--r--    1 root     root          1234 2026-11-24 08:15:20 +0000 name -> target`
const LINE =
  /^([-dlbcps])([-rwxsStT]{9})\S* +\d+ +(\S+) +(\S+) +(?:\d+, *)?(\d+) +(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*(?: [+-]\d{4})?|\w{3} +\d+ +(?:\d{4}|\d\d:\d\d)) (.+)$/;

/** One line of `ls -l`, of busybox or of GNU; undefined for others, such as `total 12`. */
export function parseListLine(line: string, now: number): RemoteFile | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [, letter = '', letters = '', owner = '', group = '', size = '0', time = '', rest = ''] = found;
  // More than can be counted is no size.
  if (!Number.isSafeInteger(Number(size))) return undefined;
  const kind = KINDS[letter] ?? 'other';
  const name = kind === 'link' ? (rest.split(' -> ')[0] ?? rest) : rest;
  return { name, kind, is_folder: kind === 'folder', size: Number(size), modified: timeOf(time, now), mode: modeOf(letters), owner, group };
}

function openWriter({ channel, ended }: Command, offset: number): FileWriter {
  // Unread output would hold its end back.
  channel.resume();
  let written = offset;
  let listener: (bytes: number) => void = () => undefined;
  return {
    async write(piece) {
      await new Promise<void>((resolve, reject) => {
        ended.catch(reject);
        channel.write(piece, () => {
          written += piece.length;
          listener(written);
          resolve();
        });
      });
    },
    onWritten(next) {
      listener = next;
    },
    async end() {
      channel.end();
      await ended;
    },
    abort: () => channel.close(),
  };
}

/** The files of a server without SFTP, such as OpenWrt's, by `ls`, `cat` and the like. `now`: Unix milliseconds, for dates without a year. */
export function openExecFs(client: Client, now: () => number): RemoteFs {
  const listOf = (path: string, options: string): Promise<string> =>
    run(client, `ls ${options} --full-time ${quoteWord(path)} 2>/dev/null || ls ${options} ${quoteWord(path)}`);
  // Links to folders are opened like folders.
  const followLinks = async (path: string, files: RemoteFile[]): Promise<void> => {
    if (!files.some(({ kind }) => kind === 'link')) return;
    const each = `[ -h "$f" ] && [ -d "$f" ] && printf '%s\\n' "$f"`;
    const names = new Set((await run(client, `cd ${quoteWord(path)} && for f in * .*; do ${each}; done; true`)).split('\n'));
    for (const file of files) if (file.kind === 'link') file.is_folder = names.has(file.name);
  };
  const parse = (text: string): RemoteFile[] => text.split('\n').flatMap((line) => parseListLine(line, now()) ?? []);

  return {
    way: 'exec',
    home: async () => (await run(client, 'pwd')).trim() || '/',
    async list(path, most) {
      const files = parse(await listOf(`${path}/`, '-lA')).filter(({ name }) => name !== '.' && name !== '..');
      const listed = files.slice(0, most);
      await followLinks(path, listed);
      return { files: listed, is_cut: files.length > most };
    },
    async facts(path) {
      const [file] = parse(await listOf(path, '-lLd'));
      if (!file) throw new FileFaultError('not-found');
      return file;
    },
    real: async (path) => (await run(client, `readlink -f ${quoteWord(path)}`)).replace(/\n$/, '') || path,
    async read(path, range) {
      const part = range
        ? `tail -c +${range.start + 1} ${quoteWord(path)} | head -c ${range.end - range.start + 1}`
        : `cat ${quoteWord(path)}`;
      const { channel, ended } = await open(client, part);
      // @NOTE The reader sees the end when the command is over: an SSH server may refuse the next one while a channel is half closed.
      const stream = channel.pipe(new PassThrough(), { end: false });
      ended.then(
        () => stream.end(),
        (error: Error) => stream.destroy(error),
      );
      stream.on('close', () => channel.close());
      return range ? exactLength(stream, range.end - range.start + 1) : stream;
    },
    async write(path, offset) {
      return openWriter(await open(client, `cat ${offset === 0 ? '>' : '>>'} ${quoteWord(path)}`), offset);
    },
    makeFolder: async (path) => void (await run(client, `mkdir ${quoteWord(path)}`)),
    rename: async (path, to) => void (await run(client, `mv -f ${quoteWord(path)} ${quoteWord(to)}`)),
    removeFile: async (path) => void (await run(client, `rm ${quoteWord(path)}`)),
    removeFolder: async (path) => void (await run(client, `rm -r ${quoteWord(path)}`)),
    setMode: async (path, mode) => void (await run(client, `chmod ${mode.toString(8)} ${quoteWord(path)}`)),
  };
}
