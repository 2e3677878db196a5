import type { Readable } from 'node:stream';
import type { AnswerMeta, Envelope, ErrorItem } from '../../schemas/kit/form/types.ts';

/** What a handler returns: an envelope, or a stream with its headers. */
export type Answer =
  { status: number; body: Envelope } | { status: number; headers: Record<string, string>; stream: Readable | string | Buffer };

export function ok(data?: unknown, meta?: AnswerMeta): Answer {
  return { status: 200, body: { success: true, ...(data === undefined ? {} : { data }), ...(meta === undefined ? {} : { meta }) } };
}

export function created(data?: unknown, meta?: AnswerMeta): Answer {
  const answer = ok(data, meta);
  return { ...answer, status: 201 };
}

/** 207: some of the items worked; `data` holds those, `errors` the rest. */
export function partial(data: unknown, errors: ErrorItem[], meta?: AnswerMeta): Answer {
  return { status: 207, body: { success: true, data, errors, ...(meta === undefined ? {} : { meta }) } };
}

export function stream(body: Readable | string | Buffer, headers: Record<string, string>, status = 200): Answer {
  return { status, headers, stream: body };
}
