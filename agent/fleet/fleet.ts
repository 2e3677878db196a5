import { randomBytes } from 'node:crypto';
import { FLEET_AGENT, SimulatedDevice } from './device.ts';
import type { FleetContext } from './fleet-context.ts';
import { enrol, type Credentials } from './enrol.ts';
import { type Identity, makeIdentity } from './models.ts';
import { type MoodMix, pickUpdateMood, spreadMoods, type UpdateMood } from './device-behaviours.ts';
import { makeRandom } from './random.ts';
import { readFile, writeFile, rename } from 'node:fs/promises';

/** An enrolment code and how many of the devices use it: a fixed count, or a share of those that are left. */
export interface FleetCode {
  code: string;
  count?: number;
  share?: number;
  /** Prefix of each device's name. */
  namePrefix?: string;
}

export interface FleetOptions {
  /** The server, for example `http://127.0.0.1:8080`. */
  url: string;
  devices: number;
  code?: string;
  /** Without any code, only the devices that `state` knows take part. */
  codes?: FleetCode[];
  /** The same seed makes the same devices; without one every fleet is new. */
  seed?: string;
  /** Reports this often; without it as often as the server says. */
  periodSeconds?: number;
  /** Measures what goes into `up/telemetry` this often; 300 s without it. */
  measureSeconds?: number;
  moods?: 'default' | 'good' | MoodMix;
  /** How all devices take updates; without it by chance, and well where `moods` is not the default. */
  updateMood?: UpdateMood;
  /** Connections a second. */
  connectRate?: number;
  /** Enrolments at a time. */
  enrolParallel?: number;
  /** How long a reboot takes, from and to. */
  rebootSeconds?: readonly [number, number];
  /** A JSON file with the credentials: a fleet started with it again rejoins. */
  state?: string;
  onProgress?: (progress: FleetCounts) => void;
}

export interface FleetCounts {
  devices: number;
  enrolled: number;
  online: number;
}

export interface Fleet extends AsyncDisposable {
  readonly devices: readonly SimulatedDevice[];
  readonly seed: string;
  counts(): FleetCounts;
  /** Says goodbye for all and waits until their connections are closed. */
  stop(): Promise<void>;
}

const SECOND = 1000;
const STOP_SECONDS = 5;
const MEASURE_SECONDS = 300;

/** Enrols a fleet and connects it; resolves when every device has said hello or failed to once. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const saved = options.state === undefined ? undefined : await readState(options.state);
  const state: FleetState = saved ?? { seed: options.seed ?? randomBytes(6).toString('hex'), credentials: {} };
  const seed = options.seed ?? state.seed;
  const gate = openGate(options.connectRate ?? 500);
  const all = makeDevices(
    options,
    { seed, known: state.credentials },
    {
      admit: gate.admit,
      url: options.url,
      periodSeconds: options.periodSeconds,
      measureMs: (options.measureSeconds ?? MEASURE_SECONDS) * SECOND,
      rebootSeconds: options.rebootSeconds ?? [4, 15],
      onForgotten: (identity) => {
        delete state.credentials[stateKey(identity)];
        if (options.state !== undefined) void writeState(options.state, state).catch(() => {});
      },
    },
  );
  for (const device of all) device.credentials = state.credentials[stateKey(device.identity)];
  const devices = all.filter((device) => device.credentials !== undefined || device.code !== undefined);
  if (devices.length === 0) throw new Error('A fleet needs an enrolment code, or a state file with devices that joined before.');
  const counts = () => ({
    devices: devices.length,
    enrolled: devices.filter((device) => device.credentials !== undefined).length,
    online: devices.filter((device) => device.isOnline).length,
  });
  const progress = setInterval(() => options.onProgress?.(counts()), SECOND);
  const pings = setInterval(() => devices.forEach((device) => device.pingIfQuiet()), 10 * SECOND);
  const stop = async () => {
    clearInterval(progress);
    clearInterval(pings);
    gate.close();
    for (const device of devices) device.stop();
    const end = Date.now() + STOP_SECONDS * SECOND;
    while (devices.some((device) => device.isOnline) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  try {
    await enrolAll(options, devices, state);
    for (const device of devices) device.comeBack();
    await Promise.all(devices.map((device) => device.settled));
    options.onProgress?.(counts());
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearInterval(progress);
  }
  return { devices, seed, counts, stop, [Symbol.asyncDispose]: stop };
}

const stateKey = ({ serial, mac }: Identity) => `${serial} ${mac}`;

function makeDevices(
  options: FleetOptions,
  { seed, known }: { seed: string; known: FleetState['credentials'] },
  fleet: FleetContext,
): SimulatedDevice[] {
  const moods = spreadMoods(options.moods ?? 'default', options.devices, makeRandom(seed));
  const codes = spreadCodes(options);
  const devices: SimulatedDevice[] = [];
  let original: SimulatedDevice | undefined;
  for (const [index, mood] of moods.entries()) {
    const random = makeRandom(`${seed}/${index}`);
    const { code, namePrefix = '' } = codes[index] ?? {};
    const own = makeIdentity(index, random, { old: mood === 'old-firmware', namePrefix });
    const isCopy = mood === 'duplicate' && original !== undefined;
    const identity = isCopy ? { ...own, serial: original?.identity.serial ?? own.serial } : own;
    // Of its own seed, so that a fleet of the same seed has the same devices as before.
    const byChance =
      options.moods === undefined || options.moods === 'default' ? pickUpdateMood(makeRandom(`${seed}/${index}/update`)) : 'good';
    const updateMood = options.updateMood ?? byChance;
    const device = new SimulatedDevice({
      identity,
      random,
      mood,
      updateMood,
      code: isCopy ? (original?.code ?? code) : code,
      fleet,
      hasJoined: known[stateKey(identity)] !== undefined,
    });
    if (!isCopy) original = device;
    devices.push(device);
  }
  return devices;
}

function spreadCodes({ code, codes, devices }: FleetOptions): FleetCode[] {
  const list = codes ?? (code === undefined ? [] : [{ code }]);
  if (list.length === 0) return [];
  const fixed = list.reduce((sum, entry) => sum + (entry.count ?? 0), 0);
  const shares = list.reduce((sum, entry) => sum + (entry.count === undefined ? (entry.share ?? 1) : 0), 0);
  const spread = list.flatMap((entry) => Array.from({ length: entry.count ?? 0 }, () => entry));
  let passed = 0;
  for (const entry of list) {
    if (entry.count !== undefined) continue;
    passed += entry.share ?? 1;
    while (spread.length < Math.min(devices, fixed + Math.round(((devices - fixed) * passed) / shares))) spread.push(entry);
  }
  if (spread.length < devices) throw new Error(`The codes are for ${spread.length} devices only, not ${devices}.`);
  return spread;
}

async function enrolAll(
  { url, enrolParallel = 16, state: path }: FleetOptions,
  devices: SimulatedDevice[],
  state: FleetState,
): Promise<void> {
  const missing = devices.filter((device) => device.credentials === undefined);
  const pause = { until: 0 };
  const work = async (queue: SimulatedDevice[]) => {
    for (let device = queue.shift(); device !== undefined; device = queue.shift()) {
      const { identity, code } = device;
      const { serial, mac, imei, model, firmware, name } = identity;
      device.credentials = await enrol(url, { code, serial, mac, imei, model: model.name, firmware, name, agent: FLEET_AGENT }, pause);
      state.credentials[stateKey(identity)] = device.credentials;
    }
  };
  try {
    // A duplicate is one only when its original came first.
    for (const isCopy of [false, true]) {
      const queue = missing.filter((device) => (device.mood === 'duplicate') === isCopy);
      await Promise.all(Array.from({ length: enrolParallel }, () => work(queue)));
    }
  } finally {
    if (path !== undefined && missing.length > 0) await writeState(path, state);
  }
}

/** Lets `perSecond` connections through; more wait their turn. */
function openGate(perSecond: number): { admit: (connect: () => void) => void; close: () => void } {
  const waiting: (() => void)[] = [];
  const tickMs = Math.max(20, SECOND / perSecond);
  const perTick = Math.max(1, Math.round((perSecond * tickMs) / SECOND));
  let timer: NodeJS.Timeout | undefined;
  const letThrough = () => {
    for (const connect of waiting.splice(0, perTick)) connect();
    if (waiting.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    admit: (connect) => {
      waiting.push(connect);
      timer ??= setInterval(letThrough, tickMs);
    },
    close: () => {
      waiting.length = 0;
      clearInterval(timer);
    },
  };
}

/** What a fleet remembers between runs, so that it rejoins instead of enrolling again. */
interface FleetState {
  seed: string;
  /** By `serial mac`. */
  credentials: Record<string, Credentials>;
}

/** Reads the file; answers `undefined` when there is none yet and throws when it is broken. */
async function readState(path: string): Promise<FleetState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed: Partial<FleetState> = Object(JSON.parse(text));
  if (typeof parsed.seed !== 'string' || typeof parsed.credentials !== 'object')
    throw new Error(`${path} is no fleet state; move it away to start again.`);
  return { seed: parsed.seed, credentials: parsed.credentials };
}

/** Replaces the file at once; it holds passwords, so only its owner reads it. */
async function writeState(path: string, state: FleetState): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
