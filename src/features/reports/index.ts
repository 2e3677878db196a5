import { registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Reports over devices: the page of one, and its files. */
export const room: Room = {
  register() {
    registerCodeAction(
      'reports.pdf',
      withTexts(['reports'], async () => (await import('./save-file.ts')).savePdf),
    );
    registerCodeAction(
      'reports.csv',
      withTexts(['reports'], async () => (await import('./save-file.ts')).saveCsv),
    );
    registerCodeAction(
      'reports.xlsx',
      withTexts(['reports'], async () => (await import('./save-file.ts')).saveSheet),
    );
  },
  showPages: { 'generated-reports': withTexts(['reports', 'readings', 'history'], () => import('./ReportPage.tsx')) },
};
