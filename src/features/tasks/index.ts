import { registerWidget } from '../../engine/form/index.ts';
import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { RunValuesWidget } from './RunValuesWidget.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The task manager: the run behind an entry of its log, and lists as files. */
export const room: Room = {
  register() {
    registerWidget('task-values', RunValuesWidget, { layout: 'group', showsPartErrors: true });
    registerCodeAction(
      'tasks.openRun',
      withTexts(['form'], async () => (await import('./task-actions.ts')).openRun),
    );
    registerCodeAction(
      'tasks.export',
      withTexts(['form'], async () => (await import('./task-actions.ts')).exportGroup),
    );
  },
  showPages: { 'task-groups': withTexts(['tasks', 'forms-task-groups'], () => import('./TaskGroupPage.tsx')) },
};
