import errorsFile from '../../schemas/errors.json' with { type: 'json' };
import type { ErrorEntry, ErrorItem, JsonPrimitive } from '../../schemas/kit/form/types.ts';
import type { ErrorCode } from '../../schemas/_generated/contract.ts';

type Params = Record<string, JsonPrimitive>;

const entries = errorsFile.errors as Record<ErrorCode, ErrorEntry>;

/** The English text of an error with its parameters filled in; consoles translate by code and params. */
export function errorMessage(code: ErrorCode, params: Params = {}): string {
  return entries[code].message.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/** An error that is answered as it is: its code says status, audience and text (schemas/errors.json). */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly items: ErrorItem[];
  readonly meta: Params | undefined;

  constructor(items: [ErrorItem & { code: ErrorCode }, ...ErrorItem[]], options: { meta?: Params; cause?: unknown } = {}) {
    super(items[0].message, { cause: options.cause });
    this.status = entries[items[0].code].status;
    this.items = items;
    this.meta = options.meta;
  }
}

interface ErrorSource {
  /** Path of the field that caused it. */
  source?: string;
  meta?: Params;
  cause?: unknown;
}

/** Makes an error class for one code; `P` types the parameters of its text. */
export function defineError<P extends Params = Record<never, never>>(code: ErrorCode) {
  return class extends AppError {
    static readonly code = code;
    constructor(params: P, place: ErrorSource = {}) {
      super(
        [
          {
            code,
            message: errorMessage(code, params),
            ...(place.source === undefined ? {} : { source: place.source }),
            ...(Object.keys(params).length > 0 ? { params } : {}),
          },
        ],
        place,
      );
    }
  };
}

export const NotFound = defineError('NOT_FOUND');
export const Forbidden = defineError('FORBIDDEN');
export const Unauthorized = defineError('UNAUTHORIZED');
export const ForgeryProtection = defineError('FORGERY_PROTECTION');
export const InvalidJson = defineError('INVALID_JSON');
export const UnknownField = defineError<{ field: string }>('UNKNOWN_FIELD');
export const UnsupportedContentEncoding = defineError('UNSUPPORTED_CONTENT_ENCODING');
export const UnsupportedContentType = defineError('UNSUPPORTED_CONTENT_TYPE');
export const BodyTooLarge = defineError<{ limit: string }>('BODY_TOO_LARGE');
export const NameTaken = defineError<{ name: string }>('NAME_TAKEN');
export const TooManyRequests = defineError<{ seconds: number }>('TOO_MANY_REQUESTS');
export const Internal = defineError<{ request_id: string }>('INTERNAL');
export const StorageFull = defineError('STORAGE_FULL');
export const Overloaded = defineError('OVERLOADED');
export const WorkTooLarge = defineError('WORK_TOO_LARGE');

/** Many wrong fields at once, each with its own message. */
export class InvalidFields extends AppError {
  constructor(items: { source: string; message: string; params?: Params }[]) {
    const [first, ...rest] = items.map((item) => ({ code: 'INVALID_FIELD' as const, ...item }));
    if (!first) throw new Error('InvalidFields needs at least one field');
    super([first, ...rest]);
  }
}

function hasCode(error: unknown): error is { code: string | number; message: string; errcode?: number } {
  return typeof error === 'object' && error !== null && 'code' in error;
}

/** PostgreSQL ended a query that took longer than its connection allows. */
const STATEMENT_CANCELLED = '57014';
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

function isDiskFull(error: unknown): boolean {
  if (!hasCode(error)) return false;
  return error.code === 'ENOSPC' || error.code === '53100' || (error.code === 'ERR_SQLITE_ERROR' && error.errcode === SQLITE_FULL);
}

/** Whether another program holds the lock of the SQLite file; extended codes have SQLITE_BUSY in their low byte. */
function isLocked(error: unknown): boolean {
  return hasCode(error) && error.code === 'ERR_SQLITE_ERROR' && ((error.errcode ?? 0) & 0xff) === SQLITE_BUSY;
}

// Classes of PostgreSQL: the connection is gone, it has not enough of something, it was shut down. Codes of the network: nobody answers.
const PASSING = /^(?:08\w{3}|53\w{3}|57P0\d|ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH)$/;

/** Whether a write failed because the database takes none for now: what fails so may work later as it is. */
export function isPassing(error: unknown): boolean {
  if (isDiskFull(error) || isLocked(error)) return true;
  if (hasCode(error)) return PASSING.test(String(error.code));
  // What the driver of PostgreSQL says of a connection that broke has no code.
  return error instanceof Error && /^Connection terminated|timeout exceeded when trying to connect/.test(error.message);
}

/** The one door from any thrown thing to an answer. Unknown errors keep their detail to the log: `isUnexpected` says so. */
export function toAnswer(
  error: unknown,
  requestId: string,
): { status: number; items: ErrorItem[]; meta: Params | undefined; isUnexpected: boolean } {
  const known = error instanceof AppError ? error : fromLibrary(error);
  const answered = known ?? new Internal({ request_id: requestId }, { cause: error });
  return { status: answered.status, items: answered.items, meta: answered.meta, isUnexpected: known === undefined };
}

function fromLibrary(error: unknown): AppError | undefined {
  if (isDiskFull(error)) return new StorageFull({}, { cause: error });
  if (isLocked(error)) return new Overloaded({}, { cause: error });
  if (!hasCode(error)) return undefined;
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new UnsupportedContentType({});
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new BodyTooLarge({ limit: 'the limit of this call' });
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new InvalidJson({});
    case STATEMENT_CANCELLED:
      return new WorkTooLarge({}, { cause: error });
    case 'FST_UNDER_PRESSURE':
      return new Overloaded({});
    default:
      return undefined;
  }
}
