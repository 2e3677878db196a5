import { MONITORING_PARTS, PART_MEMBERS, type MonitoringPart } from '../../schemas/kit/devices/monitoring-parts.ts';

/** A tick may be a little early or late. */
const TOLERANCE = 0.9;

/** How often a simulated device reports, and which parts of it have a period of their own. */
export class Periods {
  private own = new Map<MonitoringPart, number>();
  private sentAt = new Map<MonitoringPart, number>();
  private reportedAt = 0;
  /** Seconds between two reports, once they were set; undefined before. */
  report: number | undefined;

  /** Takes the body of the command `settings`; false when it is malformed. */
  take(body: string): boolean {
    const seconds = Number(/^report_seconds=(\d{1,8})$/m.exec(body)?.[1] ?? 0);
    if (seconds < 5) return false;
    this.report = seconds;
    const given = MONITORING_PARTS.map(
      (part) => [part, Number(new RegExp(`^${part}_seconds=(\\d{1,8})$`, 'm').exec(body)?.[1] ?? 0)] as const,
    );
    this.own = new Map(given.filter(([, period]) => period >= 5));
    return true;
  }

  /** As hello says them. */
  get said(): Record<string, number> {
    return Object.fromEntries(this.own);
  }

  /** Seconds until the next thing is due, when reports come every `report` seconds. */
  tick(report: number): number {
    return Math.min(report, ...this.own.values());
  }

  /** Whether a report is due, and notes that it is given. */
  takesReport(report: number, now: number): boolean {
    if (this.tick(report) < report && now - this.reportedAt < report * 1000 * TOLERANCE) return false;
    this.reportedAt = now;
    return true;
  }

  /** The parts to be sent: those whose own period is over, and the rest where `others` says so; of a device that moves, the place. */
  due(now: number, { others, isAsked, isMoving = false }: { others: boolean; isAsked: boolean; isMoving?: boolean }): MonitoringPart[] {
    const due = MONITORING_PARTS.filter((part) => {
      const period = this.own.get(part);
      if (period === undefined) return others || (isMoving && part === 'gps');
      return isAsked || now - (this.sentAt.get(part) ?? 0) >= period * 1000 * TOLERANCE;
    });
    for (const part of due) this.sentAt.set(part, now);
    return due;
  }
}

/** The payload of `up/details` for some parts of what a device could say. */
export function detailsOf(all: Readonly<Record<string, unknown>>, parts: readonly MonitoringPart[]): Record<string, unknown> {
  if (parts.length === MONITORING_PARTS.length) return { ...all };
  const members = new Set<string>(parts.flatMap((part): readonly string[] => PART_MEMBERS[part]));
  return { ...Object.fromEntries(Object.entries(all).filter(([name]) => members.has(name))), only: parts };
}
