import type { NotificationKind } from '../../schemas/kit/resources/notification-kinds.ts';
import type { Db } from '../db/schema.ts';

export interface NewNotification {
  kind: NotificationKind;
  companyId: number;
  /** The device, job, user …; its name is read later for devices. */
  subjectId: number | null;
  subjectName?: string;
  /** The only recipient; without it, everybody who sees the company and such things. */
  userId?: number;
  details?: Record<string, string | number>;
}

const ROWS_PER_INSERT = 200;

/** Queues notifications in the transaction of the change itself; the notifications room delivers them soon after. */
export async function queueNotifications(db: Db, at: number, notifications: readonly NewNotification[]): Promise<void> {
  const rows = notifications.map((notification) => ({
    at,
    kind: notification.kind,
    company_id: notification.companyId,
    subject_id: notification.subjectId,
    subject_name: notification.subjectName ?? '',
    user_id: notification.userId ?? null,
    details: JSON.stringify(notification.details ?? {}),
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await db
      .insertInto('notices')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}
