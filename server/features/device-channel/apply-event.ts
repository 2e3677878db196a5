import type { ChannelEvent, DeviceMessage, Refusal } from '../../edges/mqtt/types.ts';
import { HOUR, MINUTE, SECOND } from '../../kernel/clock.ts';
import { attemptCodes } from '../../domain/devices/events.ts';
import { SAMPLED } from '../../domain/devices/sampled.ts';
import { deviceSearchText } from '../../domain/devices/search-text.ts';
import { hasOtherPeriods } from '../../domain/devices/send-period.ts';
import { change, note, type PendingChanges } from './pending-changes.ts';
import { createLimiter } from '../../kernel/limiter.ts';
import { onto, partsOf, readDetails } from './wire-details.ts';
import { readCollected, readHello, readLog, readResult, readStatus, readTelemetry } from './wire.ts';

/** One reading of a number in five minutes, the default monitoring period: every report of 10,000 devices would be 2 billion rows a month. */
const SAMPLE_PERIOD_MS = 5 * MINUTE;
const SILENT_AFTER_PERIODS = 3;
const FLAPPING_HELLOS = 5;
/** Details are long; one that comes sooner is dropped, and the next one says the same again. */
const DETAILS_PER_MINUTE = 6;
/** Answers to monitoring templates; their periods are a minute or more. */
const COLLECTIONS_PER_MINUTE = 40;
const FLAPPING_WINDOW_MS = 2 * MINUTE;

const codeOf: Record<Refusal, number> = {
  password: attemptCodes.wrongPassword,
  'client-id': attemptCodes.foreignClientId,
  topic: attemptCodes.foreignTopic,
  'too-often': attemptCodes.tooOften,
  'too-large': attemptCodes.tooLarge,
};

/** How much came since a counter was read before. One that is lower began again, so all of it came since; before the first reading nothing is known. */
function grownBy(before: number | null, after: number | undefined): number {
  if (before === null || after === undefined) return 0;
  return after < before ? after : after - before;
}

/** The rules by which a device's messages change its record; keeps only what may be forgotten at a restart. */
export function createRules(now: () => number, { rawMs }: { rawMs: number }) {
  const lastSampleAt = new Map<number, number>();
  const hellos = new Map<number, number[]>();
  const attempts = createLimiter({ max: 1, windowMs: 1 * MINUTE, now });
  const logLines = createLimiter({ max: 10, windowMs: 10 * SECOND, now });
  const detailsReports = createLimiter({ max: DETAILS_PER_MINUTE, windowMs: 1 * MINUTE, now });
  const collections = createLimiter({ max: COLLECTIONS_PER_MINUTE, windowMs: 1 * MINUTE, now });
  const periods = createLimiter({ max: 1, windowMs: 1 * MINUTE, now });
  const flappingNotes = createLimiter({ max: 1, windowMs: 10 * MINUTE, now });

  function isAlive(draft: PendingChanges): void {
    draft.isHeard = true;
    change(draft, { silent_at: now() + SILENT_AFTER_PERIODS * draft.row.report_seconds * SECOND });
    if (draft.row.status === 1) return;
    change(draft, { status: 1, status_changed_at: now(), last_connection_at: now() });
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

  function takeHello(draft: PendingChanges, payload: Record<string, unknown>): void {
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
    change(draft, { last_connection_at: now(), failed_auth_reason: null, search_text: deviceSearchText(draft.row) });
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

  function takeStatus(draft: PendingChanges, payload: Record<string, unknown>): void {
    const { isGoodbye, columns } = readStatus(payload);
    if (isGoodbye) {
      isAway(draft, '');
      return;
    }
    // A device that never said hello is not activated, whatever it reports.
    if (draft.row.status === null) return;
    draft.traffic.sent += grownBy(draft.row.sent, columns.sent);
    draft.traffic.received += grownBy(draft.row.received, columns.received);
    draft.secondTraffic.sent += grownBy(draft.row.sent_2, columns.sent_2);
    draft.secondTraffic.received += grownBy(draft.row.received_2, columns.received_2);
    change(draft, { ...columns, last_update_at: now() });
    isAlive(draft);
    if ((lastSampleAt.get(draft.row.id) ?? 0) > now() - SAMPLE_PERIOD_MS) return;
    lastSampleAt.set(draft.row.id, now());
    for (const metric of SAMPLED) {
      const value = columns[metric];
      if (value !== undefined) draft.samples.push({ metric, at: now(), value });
    }
  }

  function takeTelemetry(draft: PendingChanges, payload: Record<string, unknown>): void {
    const { at, values } = readTelemetry(payload);
    const isPlausible = at !== undefined && at > now() - rawMs && at < now() + HOUR;
    const own: readonly string[] = SAMPLED;
    for (const [metric, value] of values) {
      if (!own.includes(metric)) draft.samples.push({ metric, at: isPlausible ? at : now(), value });
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

  function takeMessage(draft: PendingChanges, { topic, payload }: DeviceMessage): void {
    if (topic === 'hello') takeHello(draft, payload);
    else if (topic === 'status') takeStatus(draft, payload);
    else if (topic === 'telemetry') takeTelemetry(draft, payload);
    else if (topic === 'details') takeDetails(draft, payload);
    else if (topic === 'collected') takeCollected(draft, payload);
    else if (topic === 'result') {
      const result = readResult(payload);
      if (result) draft.results.push({ deviceId: draft.row.id, ...result });
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
    apply(draft: PendingChanges, event: ChannelEvent): void {
      if (event.kind === 'refused') takeRefusal(draft, event);
      else if (draft.row.quarantine !== null) {
        if (attempts.take(`${draft.row.id} quarantine`)) change(draft, { last_connection_at: now() });
      } else if (draft.row.monitoring_enabled === 0) {
        // An external broker lets it in all the same: only what closes its own session is said of it.
        if (attempts.take(`${draft.row.id} monitoring`)) change(draft, { last_connection_at: now() });
      } else if (event.kind === 'closed') isAway(draft, '');
      else if (event.kind === 'message') takeMessage(draft, event.message);
    },
    /** Forgets what was counted so far, as at a restart. */
    forget(): void {
      lastSampleAt.clear();
      hellos.clear();
      for (const limiter of [attempts, logLines, detailsReports, collections, periods, flappingNotes]) limiter.forget();
    },
    /** Marks a device offline that has not reported for three of its periods. */
    applySilence(draft: PendingChanges): void {
      const silent = draft.row.silent_at;
      if (silent !== null && silent <= now())
        isAway(draft, `No report for ${SILENT_AFTER_PERIODS} periods of ${draft.row.report_seconds} s.`, 'warning');
    },
  };
}

export type Rules = ReturnType<typeof createRules>;
