import { randomUUID } from 'node:crypto';
import type { MqttClient } from 'mqtt';
import { commandTopic } from './topics.ts';

/**
 * mosquitto's dynamic security plugin, spoken to over MQTT (`$CONTROL/dynamic-security/v1`). The plugin of 2.0 knows no
 * placeholders in topics, so each device gets a client and a role of its own, both named after its key. A device's key is also its
 * client id, and nobody else knows it, so nobody can take over its session.
 */

const REQUEST_TOPIC = '$CONTROL/dynamic-security/v1';
export const RESPONSE_TOPIC = '$CONTROL/dynamic-security/v1/response';
const SERVER_ROLE = 'canopy-server';
const ANSWER_MS = 10_000;
// What the plugin says when a thing is there already, or is not there any more; both are what was wanted.
const HARMLESS = /already exists|not found|already (?:in|has)|doesn't exist|does not exist/i;

type Acl = { acltype: 'publishClientSend' | 'subscribePattern' | 'subscribeLiteral'; topic: string; allow: true };
interface Order {
  command: string;
  username?: string;
  password?: string;
  rolename?: string;
  acls?: Acl[];
}

interface Response {
  command: string;
  error?: string;
  data?: unknown;
  correlationData?: string;
}

const allow = (acltype: Acl['acltype'], topic: string): Acl => ({ acltype, topic, allow: true });
const roleOf = (deviceKey: string): string => `canopy-device-${deviceKey}`;

function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'command' in value;
}

export interface DynamicSecurity {
  /** Give it each message of RESPONSE_TOPIC. */
  take(payload: Buffer): void;
  /** Lets the server's own user send commands to devices; needed once for each broker, harmless when repeated. */
  prepare(username: string): Promise<void>;
  admit(deviceKey: string, password: string): Promise<void>;
  /** Forgets the device; the plugin ends its sessions. */
  expel(deviceKey: string): Promise<void>;
  suspend(deviceKey: string): Promise<void>;
  resume(deviceKey: string): Promise<void>;
  /** Ends the device's sessions; it may connect again. */
  disconnect(deviceKey: string): Promise<void>;
}

export function createDynamicSecurity(client: MqttClient): DynamicSecurity {
  const waiting = new Map<string, { left: number; problems: string[]; data: unknown[]; settle(): void }>();

  function take(payload: Buffer): void {
    const parsed: unknown = JSON.parse(payload.toString('utf8'));
    const list: unknown = typeof parsed === 'object' && parsed !== null && 'responses' in parsed ? parsed.responses : [];
    for (const response of Array.isArray(list) ? list : []) {
      const request = isResponse(response) ? waiting.get(response.correlationData ?? '') : undefined;
      if (!request || !isResponse(response)) continue;
      if (response.error !== undefined && !HARMLESS.test(response.error)) request.problems.push(`${response.command}: ${response.error}`);
      request.data.push(response.data);
      request.left -= 1;
      if (request.left === 0) request.settle();
    }
  }

  async function order(commands: Order[]): Promise<unknown[]> {
    const correlationData = randomUUID();
    const problems: string[] = [];
    const data: unknown[] = [];
    const answered = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error('mosquitto did not answer: is its dynamic security plugin loaded, and is the user of MQTT_URL its administrator?'),
          ),
        ANSWER_MS,
      );
      const settle = (): void => {
        clearTimeout(timer);
        if (problems.length === 0) resolve();
        else reject(new Error(`mosquitto refused: ${problems.join('; ')}`));
      };
      waiting.set(correlationData, { left: commands.length, problems, data, settle });
    });
    try {
      const payload = JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData })) });
      await Promise.all([answered, client.publishAsync(REQUEST_TOPIC, payload, { qos: 1 })]);
      return data;
    } finally {
      waiting.delete(correlationData);
    }
  }

  return {
    take,
    async prepare(username) {
      const [data] = await order([{ command: 'getClient', username }]);
      // @NOTE A second time is an error that says nothing, and each change ends the client's session, so only when it is missing.
      if (JSON.stringify(data ?? '').includes(`"${SERVER_ROLE}"`)) return;
      const acls = [allow('publishClientSend', 'canopy/+/down/command'), allow('subscribePattern', 'canopy/+/up/#')];
      await order([{ command: 'createRole', rolename: SERVER_ROLE, acls }]);
      const back = new Promise<void>((resolve) => {
        client.once('connect', () => resolve());
        // Newer ones may keep the session.
        setTimeout(resolve, ANSWER_MS / 2).unref();
      });
      await client.publishAsync(
        REQUEST_TOPIC,
        JSON.stringify({ commands: [{ command: 'addClientRole', username, rolename: SERVER_ROLE }] }),
        { qos: 1 },
      );
      await back;
    },
    async admit(deviceKey, password) {
      const acls = [allow('publishClientSend', `canopy/${deviceKey}/up/#`), allow('subscribeLiteral', commandTopic(deviceKey))];
      await order([
        { command: 'createRole', rolename: roleOf(deviceKey), acls },
        { command: 'createClient', username: deviceKey, password },
        { command: 'addClientRole', username: deviceKey, rolename: roleOf(deviceKey) },
      ]);
    },
    async expel(deviceKey) {
      await order([
        { command: 'deleteClient', username: deviceKey },
        { command: 'deleteRole', rolename: roleOf(deviceKey) },
      ]);
    },
    async suspend(deviceKey) {
      await order([{ command: 'disableClient', username: deviceKey }]);
    },
    async resume(deviceKey) {
      await order([{ command: 'enableClient', username: deviceKey }]);
    },
    async disconnect(deviceKey) {
      await order([
        { command: 'disableClient', username: deviceKey },
        { command: 'enableClient', username: deviceKey },
      ]);
    },
  };
}
