import type { Translate } from '../../../kernel/i18n/index.ts';

const MINUTE = 60;
const HOUR = 3600;
/** Seconds between two readings; 0: never by itself. */
export const REFRESHES = [0, 10, 30, 60, 300, 900, 1800, 3600, 7200, 86_400] as const;
/** Seconds that a dashboard is shown on a wall before the next one; 0: it stays. */
export const ROTATIONS = [0, 30, 60, 300] as const;
export const DAYS = [1, 7, 30] as const;
const DEFAULT_REFRESH = 60;

export interface DashboardVariables {
  companyId: number | undefined;
  tagId: number | undefined;
  siteId: number | undefined;
  days: number;
  refresh: number;
  /** Over the whole window, for a wall. */
  isWall: boolean;
  /** Within an app that has controls of its own: the widgets alone. */
  isEmbedded: boolean;
  /** Seconds, one of `ROTATIONS`. */
  rotation: number;
}

function idOf(text: string | null): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
}

/** What the address says of a dashboard's variables. */
export function readVariables(search: URLSearchParams): DashboardVariables {
  return {
    companyId: idOf(search.get('company_id')),
    tagId: idOf(search.get('tag_id')),
    siteId: idOf(search.get('site_id')),
    days: DAYS.find((days) => String(days) === search.get('days')) ?? 1,
    refresh: REFRESHES.find((seconds) => String(seconds) === search.get('refresh')) ?? DEFAULT_REFRESH,
    isWall: search.get('wall') === '1',
    isEmbedded: search.get('platform') === 'mobile',
    rotation: ROTATIONS.find((seconds) => String(seconds) === search.get('rotation')) ?? 0,
  };
}

/** `30 seconds`, `5 minutes`; 0 is never. */
export function intervalWords(t: Translate, seconds: number): string {
  if (seconds === 0) return t('dashboards.refresh.never');
  if (seconds < MINUTE) return t('dashboards.refresh.seconds', { count: seconds });
  return seconds < HOUR
    ? t('dashboards.refresh.minutes', { count: seconds / MINUTE })
    : t('dashboards.refresh.hours', { count: seconds / HOUR });
}
