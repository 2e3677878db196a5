import type { ChannelEvent, DeviceMessage, Refusal } from '../../edges/mqtt/types.ts';
import { HOUR, MINUTE, SECOND } from '../../kernel/clock.ts';
import { SILENT_AFTER_PERIODS, type Hearing } from '../../domain/devices/hearing.ts';
import { attemptCodes } from '../../domain/devices/events.ts';
import { SAMPLED } from '../../domain/devices/sampled.ts';
import { deviceSearchText } from '../../domain/devices/search-text.ts';
import { hasOtherPeriods } from '../../domain/devices/send-period.ts';
import { change, note, type PendingChanges } from './pending-changes.ts';
import { countUplink, parseCounters, restartCounters, SECOND_MODEM, type UplinkCounters } from './uplink-counters.ts';
import { createLimiter } from '../../kernel/limiter.ts';
import { onto, partsOf, readDetails } from './wire-details.ts';
import { readCollected, readHello, readLog, readResult, readStatus, readTelemetry } from './wire.ts';

/** One reading of a number in five minutes, the default monitoring period: every report of 10,000 devices would be 2 billion rows a month. */
const SAMPLE_PERIOD_MS = 5 * MINUTE;
const FLAPPING_HELLOS = 5;
/** Details are long; one that comes sooner is dropped, and the next one says the same again. */
const DETAILS_PER_MINUTE = 6;
/** Answers to monitoring templates; their periods are a minute or more. */
const COLLECTIONS_PER_MINUTE = 40;
const FLAPPING_WINDOW_MS = 2 * MINUTE;
/** Of a will and the hello after it that two servers take, the will may be seen to come so much later. */
const OTHER_SERVER_MS = 2 * SECOND;
/** A report of a former boot comes at most so long after the hello of the next one. */
const LATE_WITHIN_MS = 2 * MINUTE;
/** Reports that waited on the device come at once, with uptimes that are further apart than they are received. */
const UPTIME_AHEAD_MS = HOUR;
/** How far the begin of a boot, told by two of its reports, may differ. */
const SAME_BOOT_MS = 10 * SECOND;
/** `uptime` is in whole seconds. */
const UPTIME_MS = 2 * SECOND;

const codeOf: Record<Refusal, number> = {
  password: attemptCodes.wrongPassword,
  'client-id': attemptCodes.foreignClientId,
  topic: attemptCodes.foreignTopic,
  'too-often': attemptCodes.tooOften,
  'too-large': attemptCodes.tooLarge,
};

/** The counters to compare with; of a device that has none yet, what its last report said. */
function countersOf({ row }: PendingChanges, uplink = row.wan_state): UplinkCounters {
  if (row.uplink_counters !== null) return parseCounters(row.uplink_counters);
  const isSame = row.wan_state === null || row.wan_state === uplink;
  const second = { sent: row.sent_2 ?? undefined, received: row.received_2 ?? undefined };
  return {
    ...(isSame ? { [uplink ?? '']: { sent: row.sent ?? undefined, received: row.received ?? undefined } } : {}),
    [SECOND_MODEM]: second,
  };
}

/** When an event came, which orders what several servers take, and until when the ends of connections say nothing (`Hearing`). */
export interface Moment {
  receivedAt: number;
  graceUntil: number;
}

/** The rules by which a device's messages change its record; keeps only what may be forgotten at a restart. */
export function createRules(now: () => number, { rawMs, isShared }: { rawMs: number; isShared(): boolean }) {
  const hellos = new Map<number, number[]>();
  /** When devices connected that this server has heard itself: messages of one server are in order. */
  const connections = new Map<number, number>();
  const attempts = createLimiter({ max: 1, windowMs: 1 * MINUTE, now });
  const logLines = createLimiter({ max: 10, windowMs: 10 * SECOND, now });
  const detailsReports = createLimiter({ max: DETAILS_PER_MINUTE, windowMs: 1 * MINUTE, now });
  const collections = createLimiter({ max: COLLECTIONS_PER_MINUTE, windowMs: 1 * MINUTE, now });
  const periods = createLimiter({ max: 1, windowMs: 1 * MINUTE, now });
  const flappingNotes = createLimiter({ max: 1, windowMs: 10 * MINUTE, now });

  function noteConnection(draft: PendingChanges, at: number): void {
    change(draft, { last_connection_at: at });
    connections.set(draft.row.id, at);
  }

  function isAlive(draft: PendingChanges): void {
    draft.isHeard = true;
    change(draft, { silent_at: now() + SILENT_AFTER_PERIODS * draft.row.report_seconds * SECOND });
    if (draft.row.status === 1) return;
    change(draft, { status: 1, status_changed_at: now() });
    noteConnection(draft, now());
    note(draft, { type: 'connected', params: { status: true } });
  }

  function isAway(draft: PendingChanges, message: string, level: 'info' | 'warning' = 'info'): void {
    if (draft.row.status !== 1) return;
    change(draft, { status: 0, status_changed_at: now(), silent_at: null });
    note(draft, { type: 'disconnected', level, message });
  }

  function noteFlapping(draft: PendingChanges): void {
    const recent = (hellos.get(draft.row.id) ?? []).filter((at) => at > now() - FLAPPING_WINDOW_MS);
    recent.push(now());
    hellos.set(draft.row.id, recent.slice(-FLAPPING_HELLOS));
    if (recent.length < FLAPPING_HELLOS || !flappingNotes.take(String(draft.row.id))) return;
    const message = `Connected ${recent.length} times within 2 minutes: its line is bad, or two devices share one credential.`;
    note(draft, { type: 'connected', level: 'warning', message, params: { status: true } });
  }

  function takeHello(draft: PendingChanges, payload: Record<string, unknown>, receivedAt: number): void {
    const { serial = draft.row.serial, mac = draft.row.mac, identity } = readHello(payload);
    if (serial !== draft.row.serial || mac !== draft.row.mac) {
      const code = attemptCodes.duplicateSerial;
      change(draft, { quarantine: 'duplicate_serial', status: 2, status_changed_at: now(), silent_at: null, failed_auth_reason: code });
      const message = `Says it is ${serial}, ${mac}; joined as ${draft.row.serial}, ${draft.row.mac}.`;
      note(draft, { type: 'quarantined', level: 'warning', code, message, params: { serial, mac, status: false } });
      return;
    }
    const hasRestarted = draft.row.boot_id !== null && identity.boot_id !== undefined && identity.boot_id !== draft.row.boot_id;
    const isFirst = draft.row.activated_at === null || draft.row.status === null;
    change(draft, identity);
    if (hasRestarted) beginBoot(draft);
    // Without a number of the start nobody can tell a restart from a late report.
    if (identity.boot_id === undefined) change(draft, { router_uptime: null });
    noteConnection(draft, receivedAt);
    change(draft, { failed_auth_reason: null, search_text: deviceSearchText(draft.row) });
    if (isFirst) {
      change(draft, { activated_at: draft.row.activated_at ?? now() });
      note(draft, { type: 'activated', params: { status: true } });
    }
    if (hasRestarted) note(draft, { type: 'restarted' });
    isAlive(draft);
    noteFlapping(draft);
    draft.hasReturned = true;
    draft.hasOtherPeriods = hasOtherPeriods(draft.row) && periods.take(String(draft.row.id));
  }

  /** What the device said of its last boot is of no use for the next one, but to know reports of it that come late. */
  function beginBoot(draft: PendingChanges): void {
    const { router_uptime: uptime, last_update_at: until } = draft.row;
    if (until !== null) change(draft, { former_boot_until: until, former_boot_at: uptime === null ? null : until - uptime * SECOND });
    change(draft, { router_uptime: null, uplink_counters: JSON.stringify(restartCounters(countersOf(draft))) });
  }

  /** Whether a device can run for so long: one that it cannot would make every later report of the boot look older. */
  function isPossible({ row }: PendingChanges, uptime: number | undefined, receivedAt: number): boolean {
    if (uptime === undefined || row.router_uptime === null || row.last_update_at === null) return true;
    const elapsed = Math.max(0, receivedAt - row.last_update_at);
    return uptime * SECOND <= row.router_uptime * SECOND + elapsed + UPTIME_AHEAD_MS;
  }

  /** Whether a report is older than the last one of the same boot, or of the boot before. */
  function isLate({ row }: PendingChanges, uptime: number | undefined, receivedAt: number): boolean {
    if (uptime === undefined) return false;
    if (uptime < (row.router_uptime ?? 0)) return true;
    const bootedAt = receivedAt - uptime * SECOND;
    if (row.former_boot_at === null || receivedAt > (row.last_connection_at ?? 0) + LATE_WITHIN_MS) return false;
    return Math.abs(bootedAt - row.former_boot_at) < SAME_BOOT_MS;
  }

  /** Whether the first report after another boot id is of a device that ran before its last report: what it counted when is not known. */
  function isOlderBoot({ row }: PendingChanges, uptime: number | undefined, receivedAt: number): boolean {
    if (uptime === undefined || row.router_uptime !== null || row.former_boot_until === null) return false;
    return receivedAt - uptime * SECOND < row.former_boot_until - UPTIME_MS;
  }

  function takeTraffic(draft: PendingChanges, columns: ReturnType<typeof readStatus>['columns'], receivedAt: number): void {
    const { sent, received, sent_2, received_2, wan_state = draft.row.wan_state, router_uptime: uptime } = columns;
    const before = isOlderBoot(draft, uptime, receivedAt) ? {} : countersOf(draft, wan_state);
    const { last_update_at: reportedAt, router_uptime: ranBefore } = draft.row;
    const span = { at: receivedAt, reportedAt, ranMs: ((uptime ?? 0) - (ranBefore ?? 0)) * SECOND };
    const first = countUplink(before, wan_state, { sent, received }, span);
    const second = countUplink(first.counters, SECOND_MODEM, { sent: sent_2, received: received_2 }, span);
    draft.traffic.sent += first.sent;
    draft.traffic.received += first.received;
    draft.secondTraffic.sent += second.sent;
    draft.secondTraffic.received += second.received;
    change(draft, { uplink_counters: JSON.stringify(second.counters) });
  }

  /** A will, a goodbye, or the end of a connection: of a session that the device still has. */
  function takeGoodbye(draft: PendingChanges, { receivedAt, graceUntil }: Moment): void {
    const connectedAt = draft.row.last_connection_at ?? 0;
    const isOrdered = !isShared() || connections.get(draft.row.id) === connectedAt;
    const margin = isOrdered ? 0 : OTHER_SERVER_MS;
    if (receivedAt < connectedAt + margin || receivedAt < graceUntil) return;
    isAway(draft, '');
  }

  function takeStatus(draft: PendingChanges, payload: Record<string, unknown>, moment: Moment): void {
    const { isGoodbye, columns } = readStatus(payload);
    if (isGoodbye) {
      takeGoodbye(draft, moment);
      return;
    }
    // A device that never said hello is not activated, whatever it reports.
    if (draft.row.status === null) return;
    if (!isPossible(draft, columns.router_uptime, moment.receivedAt)) delete columns.router_uptime;
    const isHistory = isLate(draft, columns.router_uptime, moment.receivedAt);
    if (!isHistory) {
      takeTraffic(draft, columns, moment.receivedAt);
      change(draft, { ...columns, last_update_at: now() });
    }
    isAlive(draft);
    const { sampled_at: sampledAt } = draft.row;
    if (isHistory || (sampledAt !== null && sampledAt <= now() && sampledAt > now() - SAMPLE_PERIOD_MS)) return;
    change(draft, { sampled_at: now() });
    for (const metric of SAMPLED) {
      const value = columns[metric];
      if (value !== undefined) draft.samples.push({ metric, at: now(), value });
    }
  }

  function takeTelemetry(draft: PendingChanges, payload: Record<string, unknown>): void {
    const { at, values } = readTelemetry(payload);
    // A clock that is ahead would keep rules and charts waiting until it is reached.
    const readAt = at !== undefined && at > now() - rawMs ? Math.min(at, now()) : now();
    const own: readonly string[] = SAMPLED;
    for (const [metric, value] of values) {
      if (!own.includes(metric)) draft.samples.push({ metric, at: readAt, value });
    }
  }

  function takeDetails(draft: PendingChanges, payload: Record<string, unknown>): void {
    if (draft.row.status === null || !detailsReports.take(String(draft.row.id))) return;
    const details = readDetails(payload);
    const parts = partsOf(payload);
    // Two messages of one batch: the second may be about less than the first.
    if (draft.details && parts) {
      draft.details = onto(draft.details, details, parts);
      draft.detailsParts = draft.detailsParts && new Set([...draft.detailsParts, ...parts]);
    } else {
      draft.details = details;
      draft.detailsParts = parts;
    }
    isAlive(draft);
    const [modem, second] = details.modems ?? [];
    if (modem) change(draft, { modem_manufacturer: modem.manufacturer, modem_model: modem.model, modem_firmware: modem.firmware });
    if (details.modems)
      change(draft, {
        modem_manufacturer_2: second?.manufacturer ?? null,
        modem_model_2: second?.model ?? null,
        modem_firmware_2: second?.firmware ?? null,
        imei_2: second?.imei ?? null,
      });
    const { satellites, speed } = details.position ?? {};
    if (typeof satellites === 'number') draft.samples.push({ metric: 'satellites', at: now(), value: satellites });
    if (typeof speed === 'number') draft.samples.push({ metric: 'speed', at: now(), value: speed });
    for (const { name, kind, state } of details.pins ?? [])
      if (kind === 'analog') draft.samples.push({ metric: `pin_${name}`, at: now(), value: state });
  }

  function takeCollected(draft: PendingChanges, payload: Record<string, unknown>): void {
    if (draft.row.status === null || !collections.take(String(draft.row.id))) return;
    const report = readCollected(payload);
    if (report) draft.collected.push(report);
    isAlive(draft);
  }

  function takeMessage(draft: PendingChanges, { topic, payload }: DeviceMessage, moment: Moment): void {
    if (topic === 'hello') takeHello(draft, payload, moment.receivedAt);
    else if (topic === 'status') takeStatus(draft, payload, moment);
    else if (topic === 'telemetry') takeTelemetry(draft, payload);
    else if (topic === 'details') takeDetails(draft, payload);
    else if (topic === 'collected') takeCollected(draft, payload);
    else if (topic === 'result') {
      const result = readResult(payload);
      if (result) draft.results.push({ deviceId: draft.row.id, connectedAt: draft.row.last_connection_at, ...result });
    } else {
      const line = readLog(payload);
      if (line && logLines.take(String(draft.row.id))) note(draft, { type: 'log', level: line.level, message: line.message });
    }
  }

  function takeRefusal(draft: PendingChanges, event: Extract<ChannelEvent, { kind: 'refused' }>): void {
    const code = event.reason === 'password' && draft.row.monitoring_enabled === 0 ? attemptCodes.notMonitored : codeOf[event.reason];
    if (!attempts.take(`${draft.row.id} ${code}`)) return;
    change(draft, { failed_auth_reason: code });
    const { ip, detail: message } = event;
    note(draft, { type: 'refused', level: 'warning', code, message, params: { status: false }, ...(ip ? { ip } : {}) });
  }

  return {
    /** Works one event into the draft. Devices in quarantine only leave the time of their last attempt. */
    apply(draft: PendingChanges, event: ChannelEvent, moment: Moment): void {
      if (event.kind === 'refused') takeRefusal(draft, event);
      else if (draft.row.quarantine !== null) {
        if (attempts.take(`${draft.row.id} quarantine`)) change(draft, { last_connection_at: now() });
      } else if (draft.row.monitoring_enabled === 0) {
        // An external broker lets it in all the same: only what closes its own session is said of it.
        if (attempts.take(`${draft.row.id} monitoring`)) change(draft, { last_connection_at: now() });
      } else if (event.kind === 'closed') takeGoodbye(draft, moment);
      else if (event.kind === 'message') takeMessage(draft, event.message, moment);
    },
    /** Forgets what was counted so far, as at a restart. */
    forget(): void {
      hellos.clear();
      connections.clear();
      for (const limiter of [attempts, logLines, detailsReports, collections, periods, flappingNotes]) limiter.forget();
    },
    /** Marks a device offline that has not reported for three of its periods since it could be heard. */
    applySilence(draft: PendingChanges, { since, graceUntil }: Hearing): void {
      const { silent_at: silentAt, report_seconds: seconds } = draft.row;
      if (silentAt !== null && Math.max(silentAt, since + SILENT_AFTER_PERIODS * seconds * SECOND, graceUntil) <= now())
        isAway(draft, `No report for ${SILENT_AFTER_PERIODS} periods of ${draft.row.report_seconds} s.`, 'warning');
    },
  };
}

export type Rules = ReturnType<typeof createRules>;
