import { registerResultView } from '../../engine/form/result-views.ts';
import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { TagCell } from './TagCell.tsx';

/** The tags. */
export const room: Room = {
  register() {
    defineCell('tag', TagCell);
    registerCodeAction('tags.remove', async () => (await import('./remove-tag.ts')).removeChosenTag);
    registerCodeAction('tags.openRun', async () => (await import('./open-run.ts')).openRunJob);
    registerResultView('devices/tags-csv', () => import('./CsvResult.tsx'));
  },
  showPages: { tags: () => import('./TagPage.tsx') },
};
