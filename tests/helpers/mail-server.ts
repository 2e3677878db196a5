import { createServer, type Socket } from 'node:net';
import { until } from './until.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they came, unfolded and decoded from quoted-printable or base64. */
  text: string;
  headers: string[];
}

export interface MailServer extends AsyncDisposable {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** It takes nothing for now: 451 to every recipient. */
  isDown: boolean;
}

function decode(body: string, headers: string[]): string {
  const encoding = headers
    .find((line) => /^content-transfer-encoding:/i.test(line))
    ?.split(':')[1]
    ?.trim()
    .toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function readMail(from: string, to: string[], raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  return { from, to, headers, text: decode(raw.slice(end + 4), headers) };
}

/** A mail server on loopback that keeps what it gets. Addresses that `refuse` matches are answered 550. */
export async function startMailServer({ refuse }: { refuse?: RegExp } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const state = { isDown: false };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let buffer = '';
    let from = '';
    let to: string[] = [];
    let isData = false;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    const takeLine = (line: string): void => {
      const command = line.slice(0, 4).toUpperCase();
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (command === 'MAIL') [from, to] = [address, []];
      if (command === 'RCPT' && state.isDown) return answer('451 4.3.0 Try again later');
      if (command === 'RCPT' && refuse?.test(address)) return answer('550 5.1.1 No such person');
      if (command === 'RCPT') to.push(address);
      if (command === 'DATA') {
        isData = true;
        return answer('354 Go on');
      }
      if (command === 'QUIT') return void socket.end('221 Bye\r\n');
      answer('250 OK');
    };
    answer('220 test');
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      for (;;) {
        const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (!isData) takeLine(part);
        else {
          mails.push(readMail(from, to, part));
          isData = false;
          answer('250 Kept');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The token in the link of the newest mail to an address, once it has come. */
export async function linkTo(mails: MailServer, address: string): Promise<string> {
  await until('a mail', () => mails.mails.some((mail) => mail.to.includes(address)));
  const mail = mails.mails.findLast(({ to }) => to.includes(address));
  return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
