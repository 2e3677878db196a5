/** One mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  attachment?: MailAttachment;
}

/** A file that goes with a mail. */
export interface MailAttachment {
  name: string;
  type: string;
  /** Base64. */
  content: string;
}

/** sent: the mail server took it, with this answer · refused: it will never take mail for this address (5xx) · failed: it could not be reached, or asks to come back. */
export type Delivery = { kind: 'sent'; answer: string } | { kind: 'refused'; reason: string } | { kind: 'failed'; reason: string };

/** A mail server that is reached at an address which was looked at before. */
export interface MailServer {
  /** An IP address. */
  address: string;
  /** The name that its certificate has to have. */
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  /** Empty: without signing in. */
  username: string;
  password: string;
  sender: { name: string; address: string };
}

/** Opens the way to a mail server. What it says is answered by its code alone: the person who entered its address is not shown what another service says there. */
export type OpenMailServer = (server: MailServer) => Mailer;

/** The way out for mail; there is none without SMTP_URL. */
export interface Mailer {
  /** Hands a mail to the mail server. Throws for an address that holds more than one address or a line break; library errors become a `Delivery`. */
  send(mail: Mail): Promise<Delivery>;
}
