import type { Notification } from '../../../schemas/_generated/contract.ts';
import {
  notificationLink,
  notificationText,
  notificationTypes,
  type NotificationContent,
} from '../../../schemas/kit/resources/notification-kinds.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';

export type NotificationRow = Row<'notifications'> & { company_name: string };

/** What a sentence about the row is made of. */
export function contentOf(row: NotificationRow): NotificationContent {
  const type = notificationTypes.find((kind) => kind === row.kind);
  if (!type) throw new Error(`no kind of notification "${row.kind}"`);
  return {
    type,
    count: row.count,
    company_id: row.company_id,
    company_name: row.company_name,
    subject_id: row.subject_id,
    subject_name: row.subject_name,
    // Only queueNotifications writes this column.
    details: JSON.parse(row.details) as NotificationContent['details'],
  };
}

/** A notification as the wire shows it. */
export function presentNotification(row: NotificationRow): Notification {
  const content = contentOf(row);
  return {
    id: row.id,
    ...content,
    summary: notificationText(content, 'en'),
    link: notificationLink(content),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    seen_at: wireTime(row.seen_at),
  };
}
