import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';
import { MegabytesCell, MinutesCell, WirelessDeviceCell } from './cells.tsx';

/** Wi-Fi networks and hotspots over all devices, and the vouchers of hotspots. */
export const room: Room = {
  register() {
    defineCell('wireless-device', WirelessDeviceCell);
    defineCell('minutes', MinutesCell);
    defineCell('megabytes', MegabytesCell);
  },
  showPages: { 'hotspot-vouchers': withTexts(['devices', 'form', 'wireless'], () => import('./VouchersPage.tsx')) },
};
