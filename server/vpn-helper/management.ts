import { connect } from 'node:net';
import type { Child } from './child.ts';
import { waitUntil } from './child.ts';

const MAX_LINE = 64 * 1024;
const ANSWER_MS = 10_000;

export interface Management {
  /** Sends a command and answers its lines, up to SUCCESS, ERROR or END. Commands are answered in order. */
  ask(command: string): Promise<string[]>;
  close(): void;
}

/** The management interface of an OpenVPN that was just started. Lines that begin with `>` come without being asked for. */
export async function openManagement(path: string, child: Child, onNotice: (line: string) => void): Promise<Management> {
  const socket = await tryConnect(path, child);
  const waiting: { lines: string[]; done(lines: string[]): void }[] = [];
  let rest = '';
  const take = (line: string): void => {
    if (line.startsWith('>')) return onNotice(line);
    const next = waiting[0];
    if (!next) return;
    next.lines.push(line);
    const isLast = line === 'END' || line.startsWith('SUCCESS:') || line.startsWith('ERROR:');
    if (!isLast) return;
    waiting.shift();
    next.done(next.lines);
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) take(line.replace(/\r$/, ''));
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const { done, lines } of waiting.splice(0)) done(lines);
  });
  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          reject(new Error('OpenVPN does not answer'));
          socket.destroy();
        }, ANSWER_MS);
        waiting.push({
          lines: [],
          done: (lines) => {
            clearTimeout(late);
            resolve(lines);
          },
        });
        socket.write(`${command}\n`);
      }),
    close: () => void socket.destroy(),
  };
}

async function tryConnect(path: string, child: Child) {
  let found: ReturnType<typeof connect> | undefined;
  await waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(path);
        socket.once('connect', () => {
          found = socket;
          resolve(true);
        });
        socket.once('error', () => {
          socket.destroy();
          resolve(false);
        });
      }),
    child,
  );
  if (!found) throw new Error('OpenVPN opened no management socket');
  return found;
}
