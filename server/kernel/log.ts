import { pino, type DestinationStream, type Logger } from 'pino';

/** Members that never reach the log, wherever they are in the first levels of a logged object. */
const SECRET_MEMBERS = [
  'password',
  'password_hash',
  'token',
  'code',
  'secret',
  'cookie',
  'authorization',
  'set-cookie',
  'access',
  'refresh',
];

/** The server's log: one JSON object a line, secrets replaced by `[hidden]`. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[hidden]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
