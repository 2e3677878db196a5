import type { Delivery, Mail, Mailer } from './types.ts';

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

/** Opens the way to the mail server of SMTP_URL. The library is loaded with the first mail, so that starting costs nothing. */
export function openMailer(url: string, { from }: { from: string }): Mailer {
  return {
    async send({ to, subject, text }: Mail) {
      if (!ONE_ADDRESS.test(to)) throw new Error('a mail goes to exactly one address');
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
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
          from: { name: 'Canopy', address: from },
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
        });
        return { kind: 'sent', answer: oneLine(response).slice(0, MAX_ANSWER) };
      } catch (error) {
        return deliveryOf(error);
      } finally {
        transport.close();
      }
    },
  };
}
