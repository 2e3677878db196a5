import type { Trx } from '../../db/schema.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { getCreditType, titleWithoutPayment } from './types.ts';

/** People are notified when a company has fewer left of a type. */
const FEW_LEFT = 10;

/** Notifies the people of a company when its credits of a type have just become few. */
export async function notifyLowBalance(
  trx: Trx,
  { companyId, typeId, before, after, at }: { companyId: number; typeId: number; before: number; after: number; at: number },
): Promise<void> {
  if (before < FEW_LEFT || after >= FEW_LEFT) return;
  const subjectName = titleWithoutPayment(getCreditType(typeId));
  await queueNotifications(trx, at, [{ kind: 'creditAmountTooLow', companyId, subjectId: typeId, subjectName, details: { left: after } }]);
}
