import type { AnswerMeta, ErrorItem } from '../../../schemas/kit/form/types.ts';

export type ApiErrorKind = 'answer' | 'offline' | 'timeout' | 'cancelled';

interface ApiErrorInit {
  kind: ApiErrorKind;
  message?: string;
  status?: number;
  items?: ErrorItem[];
  meta?: AnswerMeta;
  requestId?: string;
}

/**
 * What every failed call throws. `kind`: `answer` = the server said no (`status`, `items`); `offline` = it could not be reached;
 * `timeout` = it took too long; `cancelled` = nobody waits for it any more, and it is never shown to people.
 */
export class ApiError extends Error {
  // A field, not constructor.name: the minifier renames classes.
  override name = 'ApiError';
  kind: ApiErrorKind;
  status: number | undefined;
  items: ErrorItem[];
  meta: AnswerMeta;
  /** `x-request-id` of the answer, to be quoted to an administrator. */
  requestId: string | undefined;

  constructor(init: ApiErrorInit) {
    super(init.message ?? init.items?.[0]?.message ?? init.kind);
    this.kind = init.kind;
    this.status = init.status;
    this.items = init.items ?? [];
    this.meta = init.meta ?? {};
    this.requestId = init.requestId;
  }

  /** The status as Refine names it; 0 when there was no answer. */
  get statusCode(): number {
    return this.status ?? 0;
  }

  /** The code of the first error item. */
  get code(): string | undefined {
    return this.items[0]?.code;
  }
}

/** Whether a failure only means that nobody waits for the answer any more. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'cancelled';
}
