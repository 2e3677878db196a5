import type { NotificationProvider, OpenNotificationParams } from '@refinedev/core';
import { failureMessage, isCancelled, type FailureContext } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

const shown = new Map<string, number>();

/** Refine's notifications in the console's toast queue, whose history, corners and Undo they share. */
export const notificationProvider: NotificationProvider = {
  open({ key, message, description, type, cancelMutation }) {
    const id = toasts.show({
      message: description ? `${description}: ${message}` : message,
      type: type === 'progress' ? 'info' : type,
      ...(cancelMutation ? { action: { label: translate('common.undo'), run: cancelMutation } } : {}),
    });
    if (key) shown.set(key, id);
  },
  close(key) {
    const id = shown.get(key);
    if (id !== undefined) toasts.close(id);
    shown.delete(key);
  },
};

/** `successNotification` of a mutation: what was done. */
export function doneNotice(message: string): OpenNotificationParams {
  return { type: 'success', message };
}

/** `errorNotification` of a mutation: the server's own words, else those of `context`; nothing for a call that the user gave up. */
export function failureNotice(context?: FailureContext): (error?: unknown) => OpenNotificationParams | false {
  return (error) => (isCancelled(error) ? false : { type: 'error', message: failureMessage(error, context) });
}
