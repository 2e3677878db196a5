import type { ChannelHandlers, DeviceChannel, DeviceCommand } from '../../server/edges/mqtt/types.ts';

/** A device channel without a network: keeps what is sent, and lets a test speak as a device through `handlers`. */
export interface RecordingChannel extends DeviceChannel {
  commands: { deviceKey: string; command: DeviceCommand }[];
  admitted: string[];
  expelled: string[];
  disconnected: string[];
  suspended: string[];
  /** False: as if the broker were away. */
  isUp: boolean;
  /** What the server does with events of devices; undefined until it listens. */
  handlers: ChannelHandlers | undefined;
}

export function recordingChannel(): RecordingChannel {
  return {
    address: { host: '127.0.0.1', port: 1883, isTls: false },
    commands: [],
    admitted: [],
    expelled: [],
    disconnected: [],
    suspended: [],
    isUp: true,
    isShared: false,
    isConnected() {
      return this.isUp;
    },
    handlers: undefined,
    async listen(handlers) {
      this.handlers = handlers;
    },
    async send(deviceKey, command) {
      this.commands.push({ deviceKey, command });
    },
    async admit(deviceKey) {
      this.admitted.push(deviceKey);
    },
    async disconnect(deviceKey) {
      this.disconnected.push(deviceKey);
    },
    async suspend(deviceKey) {
      this.suspended.push(deviceKey);
    },
    async resume(deviceKey) {
      this.suspended = this.suspended.filter((key) => key !== deviceKey);
    },
    async expel(deviceKey) {
      this.expelled.push(deviceKey);
    },
    async [Symbol.asyncDispose]() {
      this.handlers = undefined;
    },
  };
}
