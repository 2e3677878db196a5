import { registerResultView } from '../../engine/form/result-views.ts';
import { defineCell, registerFilterRule, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import {
  CompanyPathCell,
  DeviceModelCell,
  DeviceNameCell,
  DeviceStatusCell,
  FirmwareCell,
  NetworkCell,
  SignalCell,
  TemperatureCell,
} from './cells.tsx';
import { signalLevel, statusName } from './status.ts';

/** The devices: their cells, the strip above the list, the page, and joining one. */
export const room: Room = {
  register() {
    defineCell('device-status', DeviceStatusCell);
    defineCell('device-name', DeviceNameCell);
    defineCell('device-model', DeviceModelCell);
    defineCell('company-path', CompanyPathCell);
    defineCell('firmware', FirmwareCell);
    defineCell('network', NetworkCell);
    defineCell('signal', SignalCell);
    defineCell('temperature', TemperatureCell);
    registerStrip('device-statistics', 124, async () => (await import('./StatisticsStrip.tsx')).default);
    registerFilterRule('devices', 'status', (row, value) => statusName(row['status']) === value);
    registerFilterRule(
      'devices',
      'signal',
      (row, value) => signalLevel(typeof row['signal'] === 'number' ? row['signal'] : null) === value,
    );
    registerResultView('devices/add', () => import('./EnrolmentResult.tsx'));
  },
  showPages: { devices: () => import('./DevicePage.tsx') },
};
