import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The monitoring templates: the page of one. */
export const room: Room = {
  showPages: {
    'monitoring-templates': withTexts(['monitoring', 'forms-monitoring-templates'], () => import('./MonitoringTemplatePage.tsx')),
  },
};
