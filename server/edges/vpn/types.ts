import type { Duplex } from 'node:stream';

/** What a hub runs as: WireGuard, or OpenVPN with an IP (`tun`) or an Ethernet (`tap`) interface. */
export type VpnKind = 'wireguard' | 'tun' | 'tap';

/** A client as the helper needs it. It has no free text: nothing that people wrote reaches a configuration file. */
export interface ClientSpec {
  id: number;
  /** IPv4 address inside the hub. */
  address: string;
  /** Of a WireGuard hub. */
  publicKey?: string;
  /** Serial number (hex) of the certificate of an OpenVPN hub that is in force; any other one of the client is refused. */
  serial?: string;
  /** Networks behind it, `192.168.8.0/24`. */
  networks: readonly string[];
  /** Networks behind others that it reaches: an OpenVPN hub gives it routes to them. */
  routes: readonly string[];
}

/** A hub with everything that the helper needs to run it. */
export interface HubSpec {
  id: number;
  kind: VpnKind;
  /** UDP. */
  port: number;
  /** Its own address inside. */
  address: string;
  prefix: number;
  /** Of a WireGuard hub. */
  privateKey?: string;
  /** Of an OpenVPN hub, PEM. */
  pki?: { ca: string; certificate: string; key: string; tlsCrypt: string; revoked: string };
  clients: readonly ClientSpec[];
  /** Who reaches what: the only packets that pass. */
  reach: readonly { from: string; to: readonly string[] }[];
  dhcp: readonly { type: 'DNS' | 'WINS'; address: string }[];
}

export interface HubSession {
  client: number;
  /** The same while the client stays connected. */
  key: string;
  /** Unix milliseconds. */
  since: number;
  /** Where the client connects from. */
  remote: string;
  /** Bytes that the client sent, and was sent, in this session. */
  sent: number;
  received: number;
}

export interface HubState {
  id: number;
  /** Of the specification that is in force, see `revisionOf`. */
  revision: string;
  isRunning: boolean;
  /** Why it does not run. */
  error: string | null;
  sessions: readonly HubSession[];
}

/** 0 connected · 1 disconnected · 2 certificate revoked · 3 disabled or unknown client · 4 certificate expired · 5 handshake failed. */
export type ConnectionCode = 0 | 1 | 2 | 3 | 4 | 5;

/** Something that happened to a connection. */
export interface HubEvent {
  /** Ascending while the helper runs. */
  number: number;
  hub: number;
  client: number | null;
  at: number;
  code: ConnectionCode;
  remote: string;
  /** The session that began or ended, with its last bytes. */
  session: HubSession | null;
}

export interface HelperState {
  /** Another one after each start of the helper. */
  boot: string;
  /** Kinds of hubs that this machine can run; empty where it may or can not. */
  kinds: readonly VpnKind[];
  /** Why kinds are missing. */
  lacks: readonly ('rights' | 'nftables' | 'wireguard' | 'openvpn')[];
  hubs: readonly HubState[];
  /** Those after the number that was asked for, oldest first. */
  events: readonly HubEvent[];
}

/** The privileged program that runs hubs. Every call throws HelperAway when it does not answer. */
export interface VpnHelper extends AsyncDisposable {
  /** Runs a hub, or changes one that runs, without touching clients that stay as they are. Answers why it does not run, or null. */
  apply(hub: HubSpec): Promise<string | null>;
  /** Stops a hub; nothing happens for one that does not run. */
  remove(id: number): Promise<void>;
  state(afterEvent: number): Promise<HelperState>;
  /** A TCP connection from a running hub to the address that a client has in it, and to no other one. Throws Error when the client does not answer there. */
  connect(hub: number, client: number, port: number, signal: AbortSignal): Promise<Duplex>;
  /** What `HubState.revision` is once this is in force. Throws Error for a hub that no helper would take. */
  revisionOf(hub: HubSpec): string;
}

/** Where a helper is: the path of a Unix socket, or a connection to another machine, where both sides prove that they have the key. */
export type HelperPlace = string | { key: string; connect(): Promise<Duplex> };

export class HelperAway extends Error {
  override name = 'HelperAway';
}
