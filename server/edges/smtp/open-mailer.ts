import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Delivery, Mail, Mailer, MailServer, OpenMailServer } from './types.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER = 300;
// Matches `kari@example.org`: one address, without what headers and address lists are made of (blanks, quotes, commas, angle brackets).
const ONE_ADDRESS = /^[^\s"'(),:;<>[\\\]@]{1,64}@[^\s"'(),:;<>[\\\]@]{1,190}$/;

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

function responseCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;
}

function isRecipientFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EENVELOPE' && 'command' in error && error.command === 'RCPT TO';
}

function deliveryOf(error: unknown): Delivery {
  const reason = oneLine(error instanceof Error ? error.message : String(error)).slice(0, MAX_ANSWER);
  const code = responseCodeOf(error);
  return { kind: isRecipientFault(error) && code !== undefined && code >= 500 ? 'refused' : 'failed', reason };
}

function codesOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
  return [code, responseCodeOf(error)].filter((part) => part !== undefined).join(' ');
}

interface Transport {
  open: { url: string } | SMTPTransport.Options;
  sender: MailServer['sender'];
  /** Only the codes of answers are shown. */
  isQuiet: boolean;
}

/** The library is loaded with the first mail, so that starting costs nothing. */
function mailerBy({ open, sender, isQuiet }: Transport): Mailer {
  return {
    async send({ to, subject, text, attachment }: Mail) {
      if (!ONE_ADDRESS.test(to)) throw new Error('a mail goes to exactly one address');
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        ...open,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        // Nothing of a mail may make the library read a file or an address.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        // @NOTE Addresses as objects: the library does not parse them for lists, comments or names.
        const { response } = await transport.sendMail({
          from: { ...sender, name: oneLine(sender.name) },
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          ...(attachment
            ? {
                attachments: [
                  { filename: oneLine(attachment.name), contentType: attachment.type, content: Buffer.from(attachment.content, 'base64') },
                ],
              }
            : {}),
        });
        return { kind: 'sent', answer: isQuiet ? response.slice(0, 3) : oneLine(response).slice(0, MAX_ANSWER) };
      } catch (error) {
        const delivery = deliveryOf(error);
        return isQuiet && delivery.kind !== 'sent' ? { ...delivery, reason: codesOf(error) } : delivery;
      } finally {
        transport.close();
      }
    },
  };
}

/** Opens the way to the mail server of SMTP_URL. */
export function openMailer(url: string, { from }: { from: string }): Mailer {
  return mailerBy({ open: { url }, sender: { name: 'Canopy', address: from }, isQuiet: false });
}

/** Opens the way to the mail server of a company. */
export const openMailServer: OpenMailServer = ({ address, host, port, security, username, password, sender }) =>
  mailerBy({
    open: {
      host: address,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { servername: host },
      ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    },
    sender,
    isQuiet: true,
  });
