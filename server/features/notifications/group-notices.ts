import { notificationTypes, type NotificationKind } from '../../../schemas/kit/resources/notification-kinds.ts';
import type { Row } from '../../db/schema.ts';

type Notice = Row<'notices'>;

/** What becomes one notification for each recipient. */
export interface NoticeGroup {
  kind: NotificationKind;
  companyId: number;
  /** The only recipient. */
  userId: number | null;
  /** Repeats with the same key are counted while nobody has seen the first. */
  key: string;
  subjectId: number | null;
  subjectName: string;
  details: string;
  count: number;
}

/** Of more things than this at once, the number is shown instead of each. */
const MOST_NAMED = 3;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

const subjectOf = (notice: Notice): string => `${notice.subject_id ?? ''} ${notice.subject_name}`;

/** Groups what belongs in one notification: repeats of the same thing, and many things of one kind in one company. */
export function groupNotices(notices: readonly Notice[]): NoticeGroup[] {
  const places = groupBy(notices, (notice) => `${notice.kind} ${notice.company_id} ${notice.user_id ?? ''}`);
  return places.flatMap((place): NoticeGroup[] => {
    const subjects = groupBy(place, subjectOf);
    const isMany = subjects.length > MOST_NAMED;
    return (isMany ? [place] : subjects).flatMap((group) => {
      const last = group.at(-1);
      const kind = notificationTypes.find((type) => type === last?.kind);
      if (!last || !kind) return [];
      return {
        kind,
        companyId: last.company_id,
        userId: last.user_id,
        key: isMany ? `${kind} company ${last.company_id}` : `${kind} ${last.company_id} ${subjectOf(last)}`,
        subjectId: isMany ? null : last.subject_id,
        subjectName: isMany ? '' : last.subject_name,
        details: isMany ? '{}' : last.details,
        count: group.length,
      };
    });
  });
}
