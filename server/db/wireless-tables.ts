import type { Generated } from 'kysely';
import type { Flag, JsonText, Millis } from './column-types.ts';

/** A Wi-Fi network of a device, as it was reported last. Written by server/features/device-channel alone. */
interface DeviceWirelessTable {
  id: Generated<number>;
  device_id: number;
  interface: string;
  ssid: string;
  active: Flag;
  band: string;
  channel: number | null;
  clients: number;
  /** Bytes since the device started. */
  received: number;
  sent: number;
  updated_at: Millis;
}

/** A hotspot of a device. Texts that the device does not name are empty. */
interface DeviceHotspotsTable {
  id: Generated<number>;
  device_id: number;
  hotspot_index: number;
  ssid: string;
  active: Flag;
  ip: string;
  /** People who are signed in. */
  users: number;
  auth_type: string;
  /** Its accounts and who was signed in, when the device was asked last. */
  accounts: JsonText;
  sessions: JsonText;
  read_at: Millis | null;
  updated_at: Millis;
}

/** A set of vouchers: codes with the same limits, accepted by the hotspots of some devices. */
interface HotspotVouchersTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  /** Name of the network, printed on the cards. */
  ssid: string;
  amount: number;
  /** From the first sign-in on. */
  minutes: number;
  /** 0: no limit. */
  megabytes: number;
  ends_at: Millis | null;
  sealed_codes: string;
  revoked_at: Millis | null;
  created_at: Millis;
}

interface HotspotVoucherDevicesTable {
  voucher_id: number;
  device_id: number;
}

export interface WirelessTables {
  device_wireless: DeviceWirelessTable;
  device_hotspots: DeviceHotspotsTable;
  hotspot_vouchers: HotspotVouchersTable;
  hotspot_voucher_devices: HotspotVoucherDevicesTable;
}
