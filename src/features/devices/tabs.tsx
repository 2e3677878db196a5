import type { FC } from 'react';
import { deviceCapabilities, supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Device, DeviceDetails, PermissionName } from '../../../schemas/_generated/contract.ts';
import { DeviceDashboardsTab } from './dashboards/DeviceDashboardsTab.tsx';
import type { DetailsPartProps } from './DetailsParts.tsx';
import { DeviceActivity } from './DeviceActivity.tsx';
import { DeviceDataUsage } from './DeviceDataUsage.tsx';
import { DeviceEsim } from './DeviceEsim.tsx';
import { DeviceGps } from './DeviceGps.tsx';
import { DeviceIo } from './DeviceIo.tsx';
import { DeviceLocation } from './DeviceLocation.tsx';
import { DeviceMetrics } from './DeviceMetrics.tsx';
import { DeviceMobileData } from './DeviceMobileData.tsx';
import { DeviceNetwork } from './DeviceNetwork.tsx';
import { DeviceNetworkMap } from './DeviceNetworkMap.tsx';
import { DeviceNotes } from './DeviceNotes.tsx';
import { DeviceParameters } from './DeviceParameters.tsx';
import { DevicePorts } from './DevicePorts.tsx';
import { DeviceReporting } from './DeviceReporting.tsx';
import { DeviceServices } from './DeviceServices.tsx';
import { DeviceWireless } from './DeviceWireless.tsx';

/** Where a device page begins. */
export const ACTIVITY = 'activity';

export interface DeviceTab {
  path: string;
  order: number;
  /** Key of its name. */
  label: string;
  permissions?: readonly PermissionName[];
  /** Whether this device has something to show there; without it every device has. */
  isThere?(device: Device, details: DeviceDetails): boolean;
  Part: FC<DetailsPartProps>;
}

/** The details of a device before they are read. */
export const NOTHING_KNOWN: DeviceDetails = {
  id: 0,
  received_at: null,
  changed_at: null,
  ports: null,
  interfaces: null,
  leases: null,
  routes: null,
  dns: null,
  pins: null,
  position: null,
  modems: null,
  wireless: null,
  hotspots: null,
  settings: null,
  backed_up_at: null,
  has_changed_since_backup: null,
};

const has = (list: readonly unknown[] | null): boolean => list !== null && list.length > 0;
const capable = ({ model, firmware }: Device) => deviceCapabilities({ model: model ?? '', firmware: firmware ?? '' });

/** The parts that are no lists, at the addresses that the public consoles of this kind use. */
export const OWN_TABS: readonly DeviceTab[] = [
  { path: ACTIVITY, order: 0, label: 'devices.tabs.activity', Part: DeviceActivity },
  { path: 'metrics/dynamic', order: 10, label: 'devices.tabs.metrics', Part: DeviceMetrics },
  { path: 'monitoring-parameters-history', order: 46, label: 'devices.tabs.parameters', Part: DeviceParameters },
  { path: 'location', order: 12, label: 'devices.tabs.location', Part: DeviceLocation },
  { path: 'dashboards', order: 14, label: 'devices.tabs.dashboards', permissions: ['view_device_dashboard'], Part: DeviceDashboardsTab },
  { path: 'data-usage', order: 20, label: 'devices.tabs.data_usage', Part: DeviceDataUsage },
  {
    path: 'mobile-data',
    order: 22,
    label: 'devices.tabs.mobile_data',
    isThere: (device, { modems }) => has(modems) || device.sim_slot !== null || capable(device).has_mobile,
    Part: DeviceMobileData,
  },
  { path: 'ports', order: 24, label: 'devices.tabs.ports', isThere: (_, { ports }) => has(ports), Part: DevicePorts },
  {
    path: 'network',
    order: 26,
    label: 'devices.tabs.network',
    isThere: (_, { interfaces, routes, leases, wireless }) => has(interfaces) || has(routes) || has(leases) || has(wireless),
    Part: DeviceNetwork,
  },
  {
    path: 'network-map',
    order: 25,
    label: 'devices.tabs.network_map',
    isThere: (_, { ports, leases, wireless }) => has(ports) || has(leases) || has(wireless),
    Part: DeviceNetworkMap,
  },
  {
    path: 'wireless',
    order: 27,
    label: 'devices.tabs.wireless',
    permissions: ['view_wireless_information'],
    isThere: (_, { wireless, hotspots }) => has(wireless) || has(hotspots),
    Part: DeviceWireless,
  },
  { path: 'io', order: 28, label: 'devices.tabs.io', isThere: (_, { pins }) => has(pins), Part: DeviceIo },
  {
    path: 'gps',
    order: 30,
    label: 'devices.tabs.gps',
    isThere: (device, { position, received_at }) => position !== null || (received_at !== null && capable(device).has_gps),
    Part: DeviceGps,
  },
  {
    path: 'services',
    order: 32,
    label: 'devices.tabs.services',
    permissions: ['update_device_credit_status', 'view_credits'],
    Part: DeviceServices,
  },
  { path: 'reporting', order: 43, label: 'devices.tabs.reporting', permissions: ['view_monitoring'], Part: DeviceReporting },
  { path: 'notes', order: 50, label: 'devices.tabs.notes', Part: DeviceNotes },
  {
    path: 'esim',
    order: 65,
    label: 'devices.tabs.esim',
    permissions: ['create_multi_configuration'],
    isThere: (device) => supports(device, 'esim'),
    Part: DeviceEsim,
  },
];
