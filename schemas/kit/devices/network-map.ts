/** What a network map shows, read by the server and the console. */

export type NetworkNodeKind = 'site' | 'device' | 'port' | 'wifi' | 'host' | 'station' | 'vpn';

/** `address`: the same host at the same port has another IP address. A host that was away for a day is new again. */
export type HostChangeKind = 'new' | 'gone' | 'moved' | 'address';

/** Something in a network. Each hangs below its parent; exactly one has none. */
export interface NetworkNode {
  id: string;
  /** null for the top. */
  parent: string | null;
  kind: NetworkNodeKind;
  /** Empty where only the address is known. */
  name: string;
  ip: string | null;
  mac: string | null;
  /** The device that it is, or that reports it. */
  device_id: number | null;
  /** A device is online, a port has a link, a Wi-Fi network is active, a VPN client is connected; null where that is not known. */
  is_up: boolean | null;
  /** Mbit/s of a port, channel of a Wi-Fi network. */
  speed: number | null;
  /** What happened to it since yesterday. */
  change: HostChangeKind | null;
}

/** What is otherwise than a day ago. */
export interface HostChange {
  kind: HostChangeKind;
  /** Who reports it. */
  device_id: number;
  device_name: string;
  mac: string;
  name: string;
  ip: string | null;
  port: string | null;
  former_ip: string | null;
  former_port: string | null;
  at: string;
}

export interface NetworkMap {
  nodes: NetworkNode[];
  /** Newest first. */
  changes: HostChange[];
  /** The moment that the changes are counted from. */
  compared_with: string;
  /** Devices that have not reported who is in their network. */
  silent_devices: number;
  /** Whether there was more than the map has room for. */
  is_cut: boolean;
}
