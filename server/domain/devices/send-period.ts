import { randomBytes } from 'node:crypto';
import { MONITORING_PARTS, periodKeyOf, wordPeriods } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { MINUTE } from '../../kernel/clock.ts';

const COMMAND_SECONDS = 10;

type Periods = Pick<
  Row<'devices'>,
  | 'device_key'
  | 'report_seconds'
  | 'dynamic_monitoring'
  | 'static_monitoring'
  | 'io_monitoring'
  | 'gps_monitoring'
  | 'wireless_monitoring'
  | 'hotspot_monitoring'
  | 'reported_periods'
>;

/** Whether a device reports at other periods than people chose for it. */
export function hasOtherPeriods(device: Periods): boolean {
  const { dynamic_monitoring: wanted, report_seconds: sent, reported_periods: reported } = device;
  return (wanted !== null && wanted !== sent) || (reported !== null && reported !== wordPeriods(device));
}

/** Asks a device to report as often as people want; one that is offline is asked when it is back. `usual`: seconds, where nobody chose. Never rejects. */
export async function sendPeriods(ctx: Pick<Context, 'devices' | 'clock' | 'log'>, device: Periods, usual: number): Promise<void> {
  const id = randomBytes(15).toString('base64url');
  const parts = MONITORING_PARTS.flatMap((part) => {
    const seconds = device[periodKeyOf(part)];
    return seconds === null ? [] : [`${part}_seconds=${seconds}\n`];
  });
  const command = { id, verb: 'settings', deadlineAt: ctx.clock.now() + MINUTE, timeoutSeconds: COMMAND_SECONDS } as const;
  await ctx.devices
    .send(device.device_key, { ...command, body: `report_seconds=${device.dynamic_monitoring ?? usual}\n${parts.join('')}` })
    .catch((error: unknown) => ctx.log.warn({ err: error, device: device.device_key }, 'a device could not be given its periods'));
}
