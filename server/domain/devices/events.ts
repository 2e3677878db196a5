import type { DeviceEvent } from '../../../schemas/_generated/contract.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { queueNotifications, type NewNotification } from '../../kernel/notifications.ts';

/** Connection attempt codes (docs/behaviour.md section 4). 0, 10, 12, 20 and 104 mean that the device tried to connect. */
export const attemptCodes = {
  wrongPassword: 0,
  foreignClientId: 10,
  foreignTopic: 12,
  tooOften: 20,
  tooLarge: 104,
  duplicateSerial: 7,
  notMonitored: 14,
} as const;

export interface NewDeviceEvent {
  deviceId: number;
  companyId: number;
  serial: string;
  type: DeviceEvent['type'];
  level?: DeviceEvent['level'];
  code?: number;
  message?: string;
  /** `status`: whether an attempt or a command succeeded · `user_id`: who did it. */
  params?: { status?: boolean; user_id?: number } & Record<string, JsonValue>;
  ip?: string;
}

/** The notification of a device's event; a connection that is only noted again is none. */
function noticeOf({ type, level, deviceId, companyId }: NewDeviceEvent): NewNotification[] {
  const kinds: Partial<Record<DeviceEvent['type'], NewNotification['kind']>> = {
    disconnected: 'deviceOffline',
    quarantined: 'deviceQuarantined',
    limited: 'deviceLimited',
    ...(level === undefined || level === 'info' ? { connected: 'deviceOnline' } : {}),
  };
  const kind = kinds[type];
  return kind ? [{ kind, companyId, subjectId: deviceId }] : [];
}

/** A line of a device's events as the wire shows it. */
export function presentDeviceEvent(row: Row<'device_events'>, serial: string): DeviceEvent {
  const params: NonNullable<NewDeviceEvent['params']> = row.params === null ? {} : JSON.parse(row.params);
  return {
    id: row.id,
    device_id: row.device_id,
    company_id: row.company_id,
    user_id: params.user_id ?? null,
    serial,
    // Only addDeviceEvents writes this column.
    type: row.type as DeviceEvent['type'],
    level: row.level,
    status: params.status ?? null,
    code: row.code,
    log: row.message || null,
    ip: row.ip,
    created_at: wireTime(row.at),
  };
}

/** Adds lines to devices' events, and notifies their followers after the commit. */
export async function addDeviceEvents(ctx: Pick<Context, 'clock' | 'live'>, trx: Trx, events: NewDeviceEvent[]): Promise<void> {
  const ROWS_PER_INSERT = 200;
  const at = ctx.clock.now();
  await queueNotifications(trx, at, events.flatMap(noticeOf));
  for (let start = 0; start < events.length; start += ROWS_PER_INSERT) {
    const chunk = events.slice(start, start + ROWS_PER_INSERT);
    const rows = await trx
      .insertInto('device_events')
      .values(
        chunk.map((event) => ({
          device_id: event.deviceId,
          company_id: event.companyId,
          at,
          type: event.type,
          code: event.code ?? null,
          level: event.level ?? 'info',
          message: event.message ?? '',
          params: event.params ? JSON.stringify(event.params) : null,
          ip: event.ip ?? null,
        })),
      )
      .returningAll()
      .execute();
    afterCommit(trx, () => {
      rows.forEach((row, index) => {
        ctx.live.publish(`devices.${row.device_id}.events`, 'DeviceEventAdded', presentDeviceEvent(row, chunk[index]?.serial ?? ''));
      });
    });
  }
}
