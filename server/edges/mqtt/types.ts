/** What a device can be asked to do; see agent/PROTOCOL.md, down/command. */
export type DeviceVerb =
  | 'refresh'
  | 'reboot'
  | 'run'
  | 'watch'
  | 'forget'
  | 'fetch'
  | 'send'
  | 'firmware'
  | 'restore'
  | 'check'
  | 'confirm'
  | 'rollback'
  | 'io'
  | 'password'
  | 'esim'
  | 'vpn'
  | 'hotspot'
  | 'read'
  | 'configure'
  | 'settings'
  | 'speed'
  | 'collect'
  | 'probe'
  | 'tunnel'
  | 'scan';

/** A command on its way to a device; see agent/PROTOCOL.md, down/command. */
export interface DeviceCommand {
  id: string;
  verb: DeviceVerb;
  /** Unix milliseconds. */
  deadlineAt: number;
  timeoutSeconds: number;
  body: string;
}

export const upTopics = ['hello', 'status', 'telemetry', 'details', 'collected', 'result', 'log'] as const;
export type UpTopic = (typeof upTopics)[number];

/** A message from a device: already parsed JSON, not yet trusted. */
export interface DeviceMessage {
  deviceKey: string;
  topic: UpTopic;
  payload: Record<string, unknown>;
}

/** Why the broker turned something away. */
export type Refusal = 'password' | 'client-id' | 'topic' | 'too-large' | 'too-often';

/** What the broker reports to the server, in the order in which it happened for each device. */
export type ChannelEvent =
  | { kind: 'message'; message: DeviceMessage }
  /** A payload that is no JSON object: truncated, not UTF-8, too deep, too long. */
  | { kind: 'unreadable'; deviceKey: string; topic: string; why: string; bytes: number }
  /** The long-lived session of a device ended, however it ended. */
  | { kind: 'closed'; deviceKey: string }
  | { kind: 'refused'; deviceKey: string; reason: Refusal; detail: string; ip: string };

/** What the server answers the broker. */
export interface ChannelHandlers {
  /** Whether the password is this device's. */
  verify(deviceKey: string, password: string): Promise<boolean>;
  /** Resolves once the events are durable; only then does the broker acknowledge them to the devices. Never rejects. */
  deliver(events: ChannelEvent[]): Promise<void>;
}

/** The device channel, whatever broker carries it. */
export interface DeviceChannel extends AsyncDisposable {
  /** Where devices connect. */
  address: { host: string; port: number; isTls: boolean };
  /** Begins to take devices in; until then it is as if nobody listened. */
  listen(handlers: ChannelHandlers): Promise<void>;
  /** Whether other servers take part of the messages, so that those of one device may change places. */
  isShared: boolean;
  /** Whether messages of devices come in now: false while an external broker is away. */
  isConnected(): boolean;
  /** Hands a command to the broker; resolves when the broker has it. */
  send(deviceKey: string, command: DeviceCommand): Promise<void>;
  /** Makes a credential known to the broker (external brokers keep their own list). */
  admit(deviceKey: string, password: string): Promise<void>;
  /** Ends the device's session; it may connect again. */
  disconnect(deviceKey: string): Promise<void>;
  /** Ends the device's session; it can not connect until `resume`. Make `verify` refuse it first. */
  suspend(deviceKey: string): Promise<void>;
  resume(deviceKey: string): Promise<void>;
  /** Ends the device's session and forgets its credential. */
  expel(deviceKey: string): Promise<void>;
}
