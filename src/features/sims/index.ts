import { registerDialog } from '../../engine/dialogs/index.ts';
import { defineCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';
import { SimCell, SimDeviceCell, SimForecastCell, SimSlotCell, SimUseCell } from './cells.tsx';

/** The SIMs that devices report. */
export const room: Room = {
  register() {
    defineCell('sim', SimCell);
    defineCell('sim-device', SimDeviceCell);
    defineCell('sim-slot', SimSlotCell);
    defineCell('sim-use', SimUseCell);
    defineCell('sim-forecast', SimForecastCell);
    registerDialog(
      'sims.details',
      withTexts(['sims', 'devices'], () => import('./SimDialog.tsx')),
    );
    registerCodeAction('sims.open', async () => (await import('./sim-actions.ts')).openSim);
    registerCodeAction('sims.limit', async () => (await import('./sim-actions.ts')).limitSims);
  },
};
