import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { LoginAnswer } from '../../../schemas/kit/devices/remote-wire.ts';
import { SECOND, type Clock } from '../../kernel/clock.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { createTelnetCodec } from './telnet.ts';

/** A command line on the remote side, whatever protocol leads to it. */
export interface Shell {
  write(bytes: Buffer): void;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
  close(): void;
  /** `code`: the exit code, where the protocol has one. */
  listen(listeners: { onData(bytes: Buffer): void; onClose(code: number | undefined): void }): void;
}

export interface Size {
  cols: number;
  rows: number;
}

/** Opens a login shell on a signed-in SSH client; the client ends with it. */
export async function openSshShell(client: Client, { cols, rows }: Size): Promise<Shell> {
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.shell({ term: 'xterm-256color', cols, rows, width: 0, height: 0 }, (error, opened) => {
      if (error) reject(new RemoteFault('protocol', error.message));
      else resolve(opened);
    });
  });
  let code: number | undefined;
  channel.on('exit', (given: number | null) => {
    code = given ?? undefined;
  });
  return {
    write: (bytes) => void channel.write(bytes),
    resize: (nextCols, nextRows) => channel.setWindow(nextRows, nextCols, 0, 0),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    close() {
      channel.close();
      client.end();
    },
    listen({ onData, onClose }) {
      let isClosed = false;
      const close = (): void => {
        if (isClosed) return;
        isClosed = true;
        client.end();
        onClose(code);
      };
      channel.on('data', onData);
      channel.stderr.on('data', onData);
      channel.on('close', close);
      client.on('close', close);
    },
  };
}

const NAME_PROMPT = /(?:login|user ?name|user): ?$/i;
const PASSWORD_PROMPT = /pass(?:word|code|phrase)[^\n:]{0,40}: ?$/i;
const LOGIN_WITHIN_MS = 30 * SECOND;
const TAIL = 200;

/** Answers the prompts for name and password once each. */
function createAutoLogin({ username, password }: LoginAnswer, write: (text: string) => void): (bytes: Buffer) => boolean {
  let tail = '';
  let isNamed = username === undefined;
  return (bytes) => {
    tail = (tail + bytes.toString('latin1')).slice(-TAIL);
    if (!isNamed && NAME_PROMPT.test(tail)) {
      isNamed = true;
      tail = '';
      write(`${username}\r`);
      return password === undefined;
    }
    if (password !== undefined && PASSWORD_PROMPT.test(tail)) {
      write(`${password}\r`);
      return true;
    }
    return false;
  };
}

/** Opens a Telnet session over a stream; signs in where the credentials are known and the server asks in the usual words. */
export function openTelnetShell(
  stream: Duplex,
  size: Size,
  { clock, credentials }: { clock: Clock; credentials: LoginAnswer | undefined },
): Shell {
  const codec = createTelnetCodec((bytes) => void stream.write(bytes), size);
  const write = (bytes: Buffer): void => void (stream.writable && stream.write(codec.encode(bytes)));
  let login = credentials && createAutoLogin(credentials, (text) => write(Buffer.from(text)));
  const stopLogin = clock.after(LOGIN_WITHIN_MS, () => {
    login = undefined;
  });
  return {
    write,
    resize: (cols, rows) => codec.resize(cols, rows),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    close: () => void stream.destroy(),
    listen({ onData, onClose }) {
      stream.on('data', (bytes: Buffer) => {
        const shown = codec.receive(bytes);
        if (shown.length === 0) return;
        if (login?.(shown)) login = undefined;
        onData(shown);
      });
      stream.on('error', () => undefined);
      stream.on('close', () => {
        stopLogin();
        onClose(undefined);
      });
    },
  };
}
