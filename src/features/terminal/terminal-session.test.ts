import { afterEach, expect, test } from 'vitest';
import { TerminalSession } from './terminal-session.ts';
import { isTyped } from './typed.ts';

const open: TerminalSession[] = [];
afterEach(() => open.splice(0).forEach((session) => session.close()));

/** A terminal that is drawn nowhere and connected to nothing, with what it would have others type. */
function session(): { session: TerminalSession; typed: string[]; answers: string[] } {
  const one = new TerminalSession({ place: { access: 1 }, name: 'Router', detail: '' });
  const [typed, answers]: [string[], string[]] = [[], []];
  one.onTyped = (text) => typed.push(text);
  one.terminal.onData((text) => answers.push(text));
  open.push(one);
  return { session: one, typed, answers };
}

const show = (one: TerminalSession, text: string): Promise<void> => new Promise((resolve) => one.terminal.write(text, resolve));

const QUERIES = [
  '\u001B[6n', '\u001B[?6n', '\u001B[5n', '\u001B[c', '\u001B[>c', '\u001B[?25$p', '\u001B[4$p', '\u001B[18t', '\u001B[14t', '\u001BP$qm\u001B\\', '\u001BP$q"p\u001B\\', '\u001BP$qr\u001B\\', '\u001B]4;1;?\u001B\\', '\u001B]10;?\u001B\\', '\u001B]11;?\u001B\\', '\u001B]12;?\u0007', '\u001B[>q', '\u001B[?u', '\u001B[1;2H\u001B[6n', '\u001B[?996n',
]; // prettier-ignore

test('what a terminal answers to the remote side is typed into no other shell [HP8]', async () => {
  const { session: one, typed, answers } = session();
  for (const query of QUERIES) await show(one, query);
  expect(answers.length).toBeGreaterThan(5);
  expect(typed).toEqual([]);
});

test('what a person types or pastes goes to the others too [HP8]', () => {
  const { session: one, typed } = session();
  one.terminal.input('ls\r');
  one.terminal.input('\u001B[200~two\rlines\u001B[201~');
  one.terminal.input('日本');
  expect(typed).toEqual(['ls\r', '\u001B[200~two\rlines\u001B[201~', '日本']);
});

test.each(['\u001B', '\u001B[A', '\u001BOP', '\u001B[1;5C', '\u001B[3~', '\u001B[15;2~', '\u001B[Z', '\u001Bx', '\u001B\r', '\u0003', 'é'])(
  'the key that sends %j is one',
  (text) => expect(isTyped(text)).toBe(true),
);

test.each([
  '\u001B[7;9R',
  '\u001B[1;2R',
  '\u001B]11;rgb:00/00/00\u001B\\',
  '\u001BP1$r0m\u001B\\',
  '\u001B[I',
  '\u001B[O',
  '\u001B[<0;1;2M',
  '\u001B[M !!',
  '\u001B[8;24;80t',
  '\u001B[?0u',
])('what the terminal says by itself, %j, is none [HP8]', (text) => expect(isTyped(text)).toBe(false));
