import type { Device, DeviceEvent } from '../../../schemas/_generated/contract.ts';
import { MINUTE, parseWire } from '../../kernel/time/index.ts';

/** The server's evidence for the state of a device. */
export interface Evidence {
  /** When its state changed last. */
  since: string;
  /** In the last ten minutes. */
  disconnects: number;
  events: DeviceEvent[];
  jobs: { job_id: number; kind: string; state: string; sent_at: string }[];
  changes: { name: string; before: string; value: string; created_at: string }[];
  readings: { metric: string; value: number; created_at: string }[];
}

/** A sentence: its text key and what is put in. */
export interface Reason {
  key: string;
  params?: Record<string, string | number>;
}

export interface Explanation {
  kind: 'offline' | 'unstable' | 'not_activated';
  /** Milliseconds that it has been so; undefined when that is not known. */
  lasts: number | undefined;
  /** The likeliest first. */
  reasons: Reason[];
}

// docs/behaviour.md section 4: 7 duplicate serial number with another MAC, 14 monitoring disabled, 15 no active credit.
const OWN_WORDS = new Set([7, 14, 15]);
/** After these a device goes down by itself. */
const TAKES_DOWN = new Set(['reboot', 'update_firmware', 'upload_backup', 'update_devices']);
const UNSTABLE_DISCONNECTS = 3;
const WEAK_DBM = -105;
const HOT_TENTHS = 750;
const NEAR_MS = 5 * MINUTE;

/** The code of the last attempt to connect, when the device tried after it went. */
function codeReason({ failed_auth_reason: code }: Device, events: readonly DeviceEvent[], since: number): Reason[] {
  if (code === null) return [];
  if (OWN_WORDS.has(code)) return [{ key: `devices.attempt.${code}`, params: { code } }];
  const refused = events.find(({ type, code: of }) => type === 'refused' && of === code);
  const at = parseWire(refused?.created_at) ?? 0;
  return [{ key: at >= since ? 'devices.why.refused' : 'devices.attempt.tried', params: { code } }];
}

function jobReason({ jobs }: Evidence, since: number): Reason[] {
  const job = jobs.find(({ kind, sent_at }) => TAKES_DOWN.has(kind) && Math.abs(since - (parseWire(sent_at) ?? 0)) <= NEAR_MS * 6);
  return job ? [{ key: 'devices.why.job', params: { kind: job.kind, job: job.job_id } }] : [];
}

/** How it went: it fell silent, or its connection was closed. */
function endReason({ events }: Evidence): Reason[] {
  const end = events.find(({ type }) => type === 'disconnected');
  if (!end) return [];
  return [{ key: end.level === 'warning' ? 'devices.why.silent' : 'devices.why.closed' }];
}

/** What the last readings before it went say. */
function readingReasons({ readings }: Evidence): Reason[] {
  const last = (metric: string) => readings.find((reading) => reading.metric === metric)?.value;
  const [signal, temperature] = [last('signal'), last('temperature')];
  return [
    ...(signal !== undefined && signal <= WEAK_DBM ? [{ key: 'devices.why.weak', params: { value: Math.round(signal) } }] : []),
    ...(temperature !== undefined && temperature >= HOT_TENTHS
      ? [{ key: 'devices.why.hot', params: { value: Math.round(temperature / 10) } }]
      : []),
  ];
}

const changeReasons = ({ changes }: Evidence): Reason[] =>
  changes.map(({ name, before, value }) => ({ key: 'devices.why.changed', params: { name, before, value } }));

/** Where its radio was last, for somebody who looks for it or asks the operator. */
const cellReason = ({ wan_state, cell_id, operator }: Device): Reason[] =>
  wan_state === 'Mobile' && cell_id ? [{ key: 'devices.why.cell', params: { cell: cell_id, operator: operator ?? '' } }] : [];

/**
 * Why a device is not as it should be, from the code of its last attempt to connect, its last report, and what happened at about the time when it
 * went. Undefined while all is well, and in quarantine, which explains itself. Pure.
 */
export function explainConnection(device: Device, evidence: Evidence | undefined, now: number): Explanation | undefined {
  if (device.quarantine) return undefined;
  if (device.status === 1) {
    if (!evidence || evidence.disconnects < UNSTABLE_DISCONNECTS) return undefined;
    return { kind: 'unstable', lasts: undefined, reasons: [...readingReasons(evidence), ...changeReasons(evidence)] };
  }
  const since = parseWire(evidence?.since) ?? 0;
  const lasts = evidence ? Math.max(0, now - since) : undefined;
  const code = codeReason(device, evidence?.events ?? [], since);
  if (device.status !== 0) return { kind: 'not_activated', lasts: undefined, reasons: code };
  if (!evidence) return { kind: 'offline', lasts, reasons: code };
  const reasons = [
    ...code,
    ...jobReason(evidence, since),
    ...readingReasons(evidence),
    ...changeReasons(evidence),
    ...endReason(evidence),
    ...cellReason(device),
  ];
  return { kind: 'offline', lasts, reasons };
}
