/** A command on its way to a device; see agent/PROTOCOL.md, down/command. */
export interface DeviceCommand {
  id: string;
  verb: 'refresh' | 'reboot' | 'run' | 'forget';
  /** Unix milliseconds. */
  deadlineAt: number;
  timeoutSeconds: number;
  body: string;
}

/** A message from a device: already parsed JSON, not yet trusted. */
export interface DeviceMessage {
  deviceKey: string;
  topic: 'hello' | 'status' | 'telemetry' | 'result' | 'log';
  payload: Record<string, unknown>;
  receivedAt: number;
}

/** The device channel, whatever broker carries it. */
export interface DeviceChannel extends AsyncDisposable {
  /** Where devices connect. */
  address: { host: string; port: number; isTls: boolean };
  /** Hands a command to the broker; resolves when the broker has it. */
  send(deviceKey: string, command: DeviceCommand): Promise<void>;
  /** Makes a credential known to the broker (external brokers keep their own list). */
  admit(deviceKey: string, password: string): Promise<void>;
  /** Ends the device's session and forgets its credential. */
  expel(deviceKey: string): Promise<void>;
}
