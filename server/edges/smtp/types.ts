/** One mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** sent: the mail server took it, with this answer · refused: it will never take mail for this address (5xx) · failed: it could not be reached, or asks to come back. */
export type Delivery = { kind: 'sent'; answer: string } | { kind: 'refused'; reason: string } | { kind: 'failed'; reason: string };

/** The way out for mail; there is none without SMTP_URL. */
export interface Mailer {
  /** Hands a mail to the mail server. Throws for an address that holds more than one address or a line break; library errors become a `Delivery`. */
  send(mail: Mail): Promise<Delivery>;
}
