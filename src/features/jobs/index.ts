import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerDialogLink } from '../../engine/dialogs/dialog-links.ts';
import { registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The jobs: starting one, following one, and the cells of their list. */
export const room: Room = {
  register() {
    registerDialog(
      'job.start',
      withTexts(['jobs'], () => import('./JobStartDialog.tsx')),
    );
    registerDialog(
      'job.status',
      withTexts(['jobs', 'json'], () => import('./JobDialog.tsx')),
    );
    registerCell(
      'job-kind',
      withTexts(['jobs'], async () => (await import('./cells.tsx')).JobKindCell),
    );
    registerCell(
      'job-state',
      withTexts(['jobs'], async () => (await import('./cells.tsx')).JobStateCell),
    );
    registerCell(
      'job-progress',
      withTexts(['jobs'], async () => (await import('./cells.tsx')).JobProgressCell),
    );
    registerCell(
      'job-waves',
      withTexts(['jobs'], async () => (await import('./cells.tsx')).JobWavesCell),
    );
    registerCodeAction('jobs.open', async () => (await import('./open-job.ts')).openChosenJob);
    registerDialogLink('job', async (value) => (await import('./open-job.ts')).openLinkedJob(value));
  },
  showPages: { 'roll-outs': withTexts(['jobs', 'json', 'dialogs'], () => import('./RollOutPage.tsx')) },
  pages: [{ path: '/jobs/:id', permission: 'view_device_actions', load: () => import('./JobLinkPage.tsx') }],
};
