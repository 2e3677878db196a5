import { notificationText, type NotificationContent } from '../../../schemas/kit/resources/notification-kinds.ts';
import { hasText, isShipped, translate, type Language } from '../../kernel/i18n/index.ts';
import type { Notification } from './notification-api.ts';

function readDetails(details: Notification['details']): NotificationContent['details'] {
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => (typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [])),
  );
}

/** A notification in the reader's language; jobs are named by what they do. */
export function sentenceOf(notification: Notification, language: Language): string {
  const key = `values.job.kind.${notification.subject_name}`;
  const isJob = notification.type === 'jobFinished' || notification.type === 'jobFailed';
  const name = isJob && hasText(key) ? translate(key) : notification.subject_name;
  return notificationText(
    { ...notification, details: readDetails(notification.details), subject_name: name },
    isShipped(language) ? language : 'en',
  );
}

/** Whether a record is a notification; lists and the live channel hand over plain records. */
export function isNotification(value: unknown): value is Notification {
  return typeof value === 'object' && value !== null && 'id' in value && 'summary' in value && 'link' in value && 'details' in value;
}
