import { upTopics, type DeviceCommand, type UpTopic } from './types.ts';

// Matches a device key such as `d4k2x7q2w3e4r5t6y7a2`.
const DEVICE_KEY = /^[a-z2-7]{20}$/;
const MAX_CLIENT_ID = 64;

export function isDeviceKey(text: unknown): text is string {
  return typeof text === 'string' && DEVICE_KEY.test(text);
}

/** A device signs in as its key, or for short sessions as its key, a dash and anything. */
export function isOwnClientId(deviceKey: string, clientId: string): boolean {
  return clientId === deviceKey || (clientId.startsWith(`${deviceKey}-`) && clientId.length <= MAX_CLIENT_ID);
}

export function commandTopic(deviceKey: string): string {
  return `canopy/${deviceKey}/down/command`;
}

function isUpTopic(name: string): name is UpTopic {
  return (upTopics as readonly string[]).includes(name);
}

/** Device and kind of an upward topic; undefined for every other topic. */
export function parseUpTopic(topic: string): { deviceKey: string; topic: UpTopic } | undefined {
  const [root, deviceKey, direction, name, ...rest] = topic.split('/');
  if (root !== 'canopy' || direction !== 'up' || rest.length > 0) return undefined;
  return isDeviceKey(deviceKey) && name !== undefined && isUpTopic(name) ? { deviceKey, topic: name } : undefined;
}

/** Whether a topic lies below `canopy/<own key>/up/`, known kind or not. */
export function isOwnUpTopic(deviceKey: string, topic: string): boolean {
  const prefix = `canopy/${deviceKey}/up/`;
  return topic.startsWith(prefix) && topic.length > prefix.length;
}

/** A command in the words of agent/PROTOCOL.md, down/command. `now` in unix milliseconds. */
export function encodeCommand(command: DeviceCommand, now: number): string {
  const seconds = (at: number): number => Math.floor(at / 1000);
  const head = ['canopy/1', command.id, command.verb, seconds(command.deadlineAt), command.timeoutSeconds, seconds(now)].join(' ');
  return `${head}\n${command.body}`;
}
