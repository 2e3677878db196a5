import type { Row } from '../../db/schema.ts';
import type { PolledEvent } from '../../kernel/polled-channels.ts';

type Target = Pick<Row<'job_targets'>, 'state' | 'reason' | 'message' | 'output' | 'sent_at' | 'started_at'>;

function lastEvent(target: Target): PolledEvent | undefined {
  const value = target.message ?? target.output ?? '';
  switch (target.state) {
    case 'ok':
      return { status: 'completed', value: value || 'Done' };
    case 'failed':
      return { status: 'error', value: value || 'Failed', errorCode: 'FAILED' };
    case 'timed-out':
      return { status: 'error', value: value || 'The device did not answer in time', errorCode: 'TIMED_OUT' };
    case 'skipped':
      return { status: 'warning', value: value || 'Skipped', errorCode: target.reason ?? 'SKIPPED' };
    case 'cancelled':
      return { status: 'warning', value: 'Cancelled before it was sent', errorCode: 'CANCELLED' };
    default:
      return undefined;
  }
}

/** What happened to one target so far, oldest first. */
export function eventsOf(target: Target): PolledEvent[] {
  const last = lastEvent(target);
  return [
    { status: 'pending', value: 'Queued' },
    ...(target.sent_at === null ? [] : [{ status: 'pending', value: 'Sent' } as const]),
    ...(target.started_at === null || target.sent_at === null
      ? []
      : [{ status: 'running', value: last ? 'Running' : (target.message ?? 'Running') } as const]),
    ...(last ? [last] : []),
  ];
}
