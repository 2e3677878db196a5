import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { Aedes, type AuthenticateError, type Client } from 'aedes';
import { createFrameGuard } from './frame-guard.ts';
import { MAX_PAYLOAD_BYTES, parsePayload } from './payload.ts';
import { commandTopic, isDeviceKey, isOwnClientId, isOwnUpTopic, parseUpTopic } from './topics.ts';
import type { ChannelEvent, Refusal } from './types.ts';
import type { BrokerOptions, FromBroker, Question, ToBroker } from './worker-messages.ts';

/**
 * The embedded broker, alone in its thread, so that thousands of devices that come back at once do not hold up HTTP.
 * Nothing is retained and no session is kept: state lives in the database. A message of a device is acknowledged once the
 * server has it on disk, which also holds back a device that sends faster than the server writes.
 */

const MAX_PACKET_BYTES = MAX_PAYLOAD_BYTES + 1024;
const KEEPALIVE_LIMIT_SECONDS = 60; // PROTOCOL.md, Session
const CONNECT_TIMEOUT_MS = 30_000;
const LISTEN_BACKLOG = 4096;
const BATCH_MS = 20;
const BATCH_SIZE = 500;
const CONNECTS_PER_WINDOW = 60;
const WINDOW_MS = 10_000;
const STOP_DEADLINE_MS = 2000;
const SERVER_UNAVAILABLE = 3;
const BAD_CREDENTIALS = 4;

const port = parentPort;
if (!port) throw new Error('broker-worker.ts runs as a worker thread');
const post = (message: FromBroker): void => port.postMessage(message);

/** The device that a connection proved to be. */
const deviceOf = new WeakMap<Client, string>();
let isOpen = false;

const waiting = new Map<number, (isRight: boolean) => void>();
let questions: Question[] = [];
let nextQuestion = 1;

let events: ChannelEvent[] = [];
let acknowledge: (() => void)[] = [];
const inFlight = new Map<number, (() => void)[]>();
let nextBatch = 1;
let batchTimer: NodeJS.Timeout | undefined;

function flushEvents(): void {
  clearTimeout(batchTimer);
  batchTimer = undefined;
  if (events.length === 0) return;
  inFlight.set(nextBatch, acknowledge);
  post({ type: 'events', batch: nextBatch, events });
  nextBatch += 1;
  events = [];
  acknowledge = [];
}

function report(event: ChannelEvent, whenDurable?: () => void): void {
  events.push(event);
  if (whenDurable) acknowledge.push(whenDurable);
  if (events.length >= BATCH_SIZE) flushEvents();
  else batchTimer ??= setTimeout(flushEvents, BATCH_MS);
}

function ask(question: Omit<Question, 'id'>, answer: (isRight: boolean) => void): void {
  const id = nextQuestion++;
  waiting.set(id, answer);
  if (questions.length === 0)
    setImmediate(() => {
      post({ type: 'verify', questions });
      questions = [];
    });
  questions.push({ id, ...question });
}

/** Sign-ins of the present window: with the right password by device, with a wrong one by address and device. */
const connects = new Map<string, number>();
setInterval(() => connects.clear(), WINDOW_MS).unref();

function countConnect(who: string): number {
  const count = (connects.get(who) ?? 0) + 1;
  connects.set(who, count);
  return count;
}

function refusal(returnCode: number, message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode });
}

function addressOf(client: Client): string {
  return client.conn && 'remoteAddress' in client.conn ? (client.conn.remoteAddress ?? '') : '';
}

/** Reports a wrong password. Passwords of devices are checked by a plain hash, so each is: a stranger who tries many never keeps the device out. */
function refusePassword(client: Client, deviceKey: string): void {
  const count = countConnect(`${addressOf(client)} ${deviceKey}`);
  if (count <= CONNECTS_PER_WINDOW) refuse(client, deviceKey, 'password', '');
}

function refuse(client: Client, deviceKey: string, reason: Refusal, detail: string): void {
  report({ kind: 'refused', deviceKey, reason, detail: detail.slice(0, 200), ip: addressOf(client) });
}

const broker = await Aedes.createBroker({
  connectTimeout: CONNECT_TIMEOUT_MS,
  keepaliveLimit: KEEPALIVE_LIMIT_SECONDS,
  maxTopicLevels: 8,
  authenticate(client, username, password, done) {
    if (!isDeviceKey(username) || !password) return done(refusal(BAD_CREDENTIALS, 'no device key'), false);
    ask({ address: addressOf(client), deviceKey: username, password: password.toString('latin1') }, (isRight) => {
      if (!isRight) {
        refusePassword(client, username);
        return done(refusal(BAD_CREDENTIALS, 'wrong password'), false);
      }
      if (countConnect(username) > CONNECTS_PER_WINDOW) {
        refuse(client, username, 'too-often', '');
        return done(refusal(SERVER_UNAVAILABLE, 'too often'), false);
      }
      if (!isOwnClientId(username, client.id)) {
        refuse(client, username, 'client-id', client.id);
        return done(refusal(BAD_CREDENTIALS, 'foreign client id'), false);
      }
      deviceOf.set(client, username);
      return done(null, true);
    });
  },
  authorizePublish(client, packet, done) {
    // @NOTE Publishes of the server itself come with client null.
    if (!client) return done(null);
    const deviceKey = deviceOf.get(client);
    packet.retain = false;
    if (deviceKey === undefined || !isOwnUpTopic(deviceKey, packet.topic)) {
      if (deviceKey !== undefined) refuse(client, deviceKey, 'topic', packet.topic);
      // An error ends the connection: a device that writes elsewhere is broken or hostile.
      return done(new Error('foreign topic'));
    }
    const place = parseUpTopic(packet.topic);
    const bytes = Buffer.from(packet.payload);
    const parsed = place ? parsePayload(bytes) : { why: 'unknown topic' };
    const whenDurable = (): void => done(null);
    if (place && 'payload' in parsed) report({ kind: 'message', message: { ...place, payload: parsed.payload } }, whenDurable);
    else
      report(
        { kind: 'unreadable', deviceKey, topic: packet.topic, why: 'why' in parsed ? parsed.why : '', bytes: bytes.length },
        whenDurable,
      );
  },
  authorizeSubscribe(client, subscription, done) {
    const deviceKey = deviceOf.get(client);
    const isOwn = deviceKey !== undefined && subscription.topic === commandTopic(deviceKey);
    if (!isOwn && deviceKey !== undefined) refuse(client, deviceKey, 'topic', subscription.topic);
    // Null refuses this one filter (SUBACK 128) and keeps the connection.
    done(null, isOwn ? subscription : null);
  },
});

broker.on('clientDisconnect', (client) => {
  const deviceKey = deviceOf.get(client);
  if (deviceKey !== undefined && client.id === deviceKey) report({ kind: 'closed', deviceKey });
});

function takeIn(socket: Socket): void {
  // As if nobody listened yet: devices try again, while some take a refusal in words for final.
  if (!isOpen) {
    socket.destroy();
    return;
  }
  const guard = createFrameGuard(MAX_PACKET_BYTES);
  const read = socket.read.bind(socket);
  socket.setNoDelay(true);
  const client = broker.handle(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array) || guard(chunk)) return chunk;
    const deviceKey = deviceOf.get(client);
    if (deviceKey !== undefined) refuse(client, deviceKey, 'too-large', '');
    socket.destroy();
    return null;
  };
}

function endSessions(deviceKey: string): void {
  for (const client of sessionsOf(deviceKey)) client.close();
}

function sessionsOf(deviceKey: string): Client[] {
  // aedes keeps its clients by id; the type hides the map.
  const { clients } = broker as unknown as { clients: Record<string, Client> };
  return Object.values(clients).filter((client) => deviceOf.get(client) === deviceKey);
}

const { host, port: wantedPort } = workerData as BrokerOptions;
const server = createServer(takeIn);
server.on('error', (error: NodeJS.ErrnoException) => post({ type: 'failed', message: error.message, code: error.code }));
server.listen({ host, port: wantedPort, backlog: LISTEN_BACKLOG }, () => {
  const address = server.address();
  post({ type: 'ready', port: typeof address === 'object' && address ? address.port : wantedPort });
});

function stop(): void {
  const finish = (): void => {
    post({ type: 'stopped' });
    port?.close();
  };
  const deadline = setTimeout(finish, STOP_DEADLINE_MS);
  server.close();
  broker.close(() => {
    flushEvents();
    clearTimeout(deadline);
    finish();
  });
}

port.on('message', (message: ToBroker) => {
  switch (message.type) {
    case 'open':
      isOpen = true;
      break;
    case 'verified':
      for (const { id, isRight } of message.answers) {
        waiting.get(id)?.(isRight);
        waiting.delete(id);
      }
      break;
    case 'durable':
      for (const done of inFlight.get(message.batch) ?? []) done();
      inFlight.delete(message.batch);
      break;
    case 'send':
      broker.publish(
        {
          cmd: 'publish',
          topic: commandTopic(message.deviceKey),
          payload: message.text,
          qos: 1,
          retain: false,
          dup: false,
        },
        () => post({ type: 'sent', id: message.id }),
      );
      break;
    case 'disconnect':
      endSessions(message.deviceKey);
      break;
    case 'stop':
      stop();
      break;
  }
});
