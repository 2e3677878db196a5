/** A parsed `down/command`; times are unix seconds of the server's clock. */
export interface Command {
  id: string;
  verb: string;
  deadline: number;
  timeoutSeconds: number;
  sentAt: number;
  body: string;
}

const HEAD_FIELDS = 6;
const WRONG_CLOCK_SECONDS = 120; // PROTOCOL.md, down/command

/** Reads a command; without a usable id there is nothing to answer to, so `undefined`; `malformed` when only the id can be trusted. */
export function parseCommand(payload: Buffer): Command | { id: string; malformed: true } | undefined {
  const end = payload.indexOf(10);
  const fields = payload.toString('utf8', 0, end < 0 ? payload.length : end).split(' ');
  const [magic, id = '', verb = '', ...numbers] = fields;
  if (!magic?.startsWith('canopy/') || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) return undefined;
  const [deadline = 0, timeoutSeconds = 0, sentAt = 0] = numbers.map(Number);
  if (magic !== 'canopy/1' || fields.length !== HEAD_FIELDS || !numbers.every((number) => /^\d{1,12}$/.test(number)))
    return { id, malformed: true };
  return { id, verb, deadline, timeoutSeconds, sentAt, body: end < 0 ? '' : payload.toString('utf8', end + 1) };
}

/** Answers whether it is too late for a command that has just arrived. */
export function isExpired({ deadline, sentAt }: Command): boolean {
  const now = Date.now() / 1000;
  return Math.abs(now - sentAt) > WRONG_CLOCK_SECONDS ? deadline < sentAt : deadline < Math.floor(now);
}

/** What a device answers; without `state: running` it is final. */
export interface Result {
  state: 'running' | 'ok' | 'failed';
  code?: number;
  message?: string;
  output?: string;
  /** In place of an output that is too long for a message: base64 of gzip. */
  packed?: string;
}

/** A final answer. */
export const ok = (message: string): Result => ({ state: 'ok', code: 0, message });
export const failed = (message: string): Result => ({ state: 'failed', code: 1, message });

/** The lines of `key=value` in a command's body. */
export function fieldsOf(body: string): Map<string, string> {
  return new Map(
    body.split('\n').flatMap((line) => (line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [])),
  );
}
