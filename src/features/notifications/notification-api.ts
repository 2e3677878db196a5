import type { Notification } from '../../../schemas/_generated/contract.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { createEmitter } from '../../kernel/emitter.ts';

export type { Notification };

const MAX_IDS = 1000;

/** Notifies the bell that something was marked as read elsewhere on the page. */
export const seenElsewhere = createEmitter<{ seen: undefined }>();

/** Marks notifications as seen. */
export async function markSeen(ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += MAX_IDS)
    await dataProvider.custom({ url: '/notifications', method: 'put', payload: { id: ids.slice(start, start + MAX_IDS) } });
}
