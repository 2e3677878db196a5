import type { Notification } from '../../../schemas/_generated/contract.ts';
import { api } from '../../kernel/http/index.ts';
import { createEmitter } from '../../kernel/emitter.ts';

export type { Notification };

/** What the bell shows of them. */
const SHOWN = 20;
const MAX_IDS = 1000;

/** Tells the bell that something was marked as seen elsewhere on the page. */
export const seenElsewhere = createEmitter<{ seen: undefined }>();

/** The newest notifications. */
export async function loadNewest(signal?: AbortSignal): Promise<Notification[]> {
  const { data } = await api.get<Notification[]>('/notifications', { query: { limit: SHOWN }, signal, survivesRouteChange: true });
  return data;
}

/** How many nobody has seen yet. */
export async function countUnseen(signal?: AbortSignal): Promise<number> {
  const { meta } = await api.get<Notification[]>('/notifications', {
    query: { is_seen: 0, limit: 1, fields: ['id'] },
    signal,
    survivesRouteChange: true,
  });
  return meta.total ?? 0;
}

/** Marks notifications as seen. */
export async function markSeen(ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_IDS)
    await api.put('/notifications', { id: ids.slice(start, start + MAX_IDS) }, { survivesRouteChange: true });
}
