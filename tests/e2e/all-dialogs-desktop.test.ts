import { DESKTOP } from './browser.ts';
import { findFaults, findLostStops, testEveryWindow } from './all-dialogs.ts';

testEveryWindow('whole, without a fault and gone round by Tab and back on a desktop, light', {
  viewport: DESKTOP,
  colorScheme: 'light',
  // The round by Tab comes last, for it moves the focus.
  find: async (page) => [...(await findFaults(page)), ...(await findLostStops(page))],
});
