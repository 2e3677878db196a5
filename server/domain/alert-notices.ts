import type { Row, Trx } from '../db/schema.ts';
import { queueNotifications } from '../kernel/notifications.ts';

/** Queues the notifications of these alerts. */
export function queueAlertNotices(trx: Trx, at: number, alerts: readonly Row<'alerts'>[]): Promise<void> {
  return queueNotifications(
    trx,
    at,
    alerts.map(({ company_id: companyId, device_id: subjectId, name, message, conditions }) => ({
      ...{ kind: 'deviceAlert' as const, companyId, subjectId },
      details: { alert: name, message, ...(conditions === null ? {} : { conditions }) },
    })),
  );
}
