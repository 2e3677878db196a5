import { registerResultView } from '../../engine/form/result-views.ts';
import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { TagCell } from './TagCell.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The tags. */
export const room: Room = {
  register() {
    defineCell('tag', TagCell);
    registerCodeAction(
      'tags.remove',
      withTexts(['tags'], async () => (await import('./remove-tag.ts')).removeChosenTag),
    );
    registerCodeAction('tags.openRun', async () => (await import('./open-run.ts')).openRunJob);
    registerResultView(
      'devices/tags-csv',
      withTexts(['errors', 'tags'], () => import('./CsvResult.tsx')),
    );
  },
  showPages: { tags: withTexts(['history', 'permissions', 'readings', 'tags'], () => import('./TagPage.tsx')) },
};
