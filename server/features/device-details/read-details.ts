import type { DeviceDetails } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';

const NOTHING: DetailsReport = {
  ports: null,
  interfaces: null,
  leases: null,
  routes: null,
  dns: null,
  pins: null,
  position: null,
  modems: null,
  wireless: null,
  hotspots: null,
  settings: null,
};

/** What a device reported last of its parts; null members while it has not. The caller has checked that the actor sees the device. */
export async function readDetails(ctx: Context, deviceId: number): Promise<DeviceDetails> {
  const row = await ctx.reads.selectFrom('device_details').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
  // Only the device channel writes the column, cleaned.
  const report: Partial<DetailsReport> = row ? (JSON.parse(row.details) as Partial<DetailsReport>) : {};
  const saved = row?.backed_up_settings ?? null;
  const { settings = null } = report;
  return {
    id: deviceId,
    received_at: wireTime(row?.received_at ?? null),
    changed_at: wireTime(row?.changed_at ?? null),
    ...NOTHING,
    ...report,
    backed_up_at: wireTime(row?.backed_up_at ?? null),
    has_changed_since_backup: saved === null || settings === null ? null : saved !== settings,
  };
}
