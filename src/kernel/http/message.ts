import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { translationOf } from '../../../schemas/kit/form/messages.ts';
import { hasText, translate, type Translate } from '../i18n/index.ts';
import { ApiError } from './api-error.ts';

export interface FailureContext {
  /** Shown when the server said nothing. */
  fallback?: string;
  /** What was tried, in the present language: `action: 'load', item: 'devices'` → "Failed to load devices (500)". */
  action?: string;
  item?: string;
}

/** Parameters that name something by its key, and where its texts are. */
const WORDS: Readonly<Record<string, string>> = { action: 'history.actions.', permission: 'permissions.' };

/** The parameters in the words of the language; those that have none stay as they are. */
function withWords(params: ReturnType<typeof translationOf>['params'], t: Translate) {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const key = `${WORDS[name]}${String(value)}`;
      return [name, WORDS[name] && hasText(key) ? t(key) : value];
    }),
  );
}

/** The text of one error item: its translation with its parameters, else the server's own words. */
export function itemMessage(item: ErrorItem, t: Translate = translate): string {
  const { key, params } = translationOf(item);
  // A part of a bulk answer has no request of its own to name.
  if (item.code === 'INTERNAL' && !params['request_id']) return t('http.serverError');
  const text = t(key, withWords(params, t));
  return text === key ? item.message : text;
}

/** What was done, as the success message says it. */
export type DoneWord = 'created' | 'updated' | 'removed' | 'uploaded';

/** "{Item} created successfully" (docs/behaviour.md section 8, Result messages); without an item that the operation is complete. */
export function successMessage(done: DoneWord, item: string | undefined): string {
  return item ? translate(`http.done.${done}`, { item }) : translate('http.done');
}

/**
 * The message about a failure (docs/behaviour.md section 8, Result messages): the server's first message, else the caller's fallback,
 * else "Failed to {action} {item} ({status})". Empty for a cancelled call, which is never shown.
 */
export function failureMessage(error: unknown, context: FailureContext = {}): string {
  if (!(error instanceof ApiError)) return context.fallback ?? translate('http.serverError');
  if (error.kind === 'cancelled') return '';
  if (error.kind === 'offline') return translate(navigator.onLine ? 'http.unreachable' : 'http.offline');
  if (error.kind === 'timeout') return translate('http.timeout');
  const first = error.items[0];
  if (first) return itemMessage(first);
  if (context.fallback) return context.fallback;
  if (context.action && context.item) {
    return translate('http.failedTo', { action: context.action, item: context.item, status: String(error.status ?? error.code ?? '') });
  }
  return translate('http.serverErrorStatus', { status: String(error.status ?? '') });
}
