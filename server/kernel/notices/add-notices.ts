import type { NotificationKind } from '../../../schemas/kit/notification-kinds.ts';
import type { Db } from '../../db/schema.ts';

export interface NewNotice {
  kind: NotificationKind;
  companyId: number;
  /** The device, job, user …; its name is read later for devices. */
  subjectId: number | null;
  subjectName?: string;
  /** Who alone is told; without it, whoever sees the company and may see such things. */
  userId?: number;
  details?: Record<string, string | number>;
}

const ROWS_PER_INSERT = 200;

/** Notes what people should hear of, in the transaction of the change itself; the room of notifications tells them soon after. */
export async function addNotices(db: Db, at: number, notices: readonly NewNotice[]): Promise<void> {
  const rows = notices.map((notice) => ({
    at,
    kind: notice.kind,
    company_id: notice.companyId,
    subject_id: notice.subjectId,
    subject_name: notice.subjectName ?? '',
    user_id: notice.userId ?? null,
    details: JSON.stringify(notice.details ?? {}),
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await db
      .insertInto('notices')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}
