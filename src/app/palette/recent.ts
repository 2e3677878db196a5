import { readLocal, writeLocal } from '../../kernel/local.ts';

export interface RecentItem {
  label: string;
  detail: string;
  path: string;
}

const MOST = 6;
const keyOf = (userId: number): string => `recent_items.${userId}`;

function isRecentItem(value: unknown): value is RecentItem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'label' in value &&
    typeof value.label === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string' &&
    'path' in value &&
    typeof value.path === 'string' &&
    /^\/(?!\/)/.test(value.path)
  );
}

/** What this user went to last by search or palette in this browser, newest first. */
export function readRecent(userId: number): RecentItem[] {
  try {
    const kept: unknown = JSON.parse(readLocal(keyOf(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecentItem).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts an item on top of the recent ones. */
export function rememberRecent(userId: number, item: RecentItem): void {
  const others = readRecent(userId).filter((one) => one.path !== item.path);
  writeLocal(keyOf(userId), JSON.stringify([item, ...others].slice(0, MOST)));
}
