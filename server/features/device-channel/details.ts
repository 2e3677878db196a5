import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { NewRow, Trx } from '../../db/schema.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import type { PendingChanges, DetailsNews, Position } from './pending-changes.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { putPlaces } from '../../domain/places/put-places.ts';
import { storeHosts } from './hosts.ts';
import { onto } from './wire-details.ts';
import { storeWireless, wirelessSamples } from './wireless.ts';

/** So far a device has to go before its place is another one. */
const MOVED_METRES = 25;
const METRES_PER_DEGREE = 111_320;

/** Metres between two places that are not far from each other. */
export function metresBetween(a: Pick<Position, 'latitude' | 'longitude'>, b: Pick<Position, 'latitude' | 'longitude'>): number {
  const across = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(a.latitude - b.latitude, across) * METRES_PER_DEGREE;
}

/** A report without what moves all the time: counters, ends of leases, the noise of signals and of a place. */
function stillOf({ leases, wireless, modems, pins, position, ...rest }: DetailsReport) {
  return {
    ...rest,
    leases: leases?.map(({ mac, ip, name }) => ({ mac, ip, name })),
    wireless: wireless?.map(({ sent: _sent, received: _received, ...one }) => one),
    modems: modems?.map(({ signal: _signal, rsrp: _rsrp, rsrq: _rsrq, sinr: _sinr, temperature: _temperature, ...one }) => one),
    pins: pins?.map(({ state, ...pin }) => (pin.kind === 'analog' ? pin : { ...pin, state })),
    hasPosition: position !== null,
  };
}

function newsOf(report: DetailsReport, former: DetailsReport | undefined): DetailsNews {
  const before = new Map(former?.pins?.map((pin) => [pin.name, pin.state]));
  const { position } = report;
  const hasMoved = position && (!former?.position || metresBetween(position, former.position) >= MOVED_METRES);
  return {
    report,
    former,
    isNew: former === undefined || !isDeepStrictEqual(stillOf(report), stillOf(former)) || hasMoved === true,
    pins: (report.pins ?? []).filter(({ name, kind, state }) => kind !== 'analog' && before.get(name) !== state),
    position: hasMoved ? position : undefined,
  };
}

/** Compares the details that devices sent with those of before: what is to be written of them is in the drafts then. */
export async function compareDetails(trx: Trx, drafts: readonly PendingChanges[], at: number): Promise<void> {
  const ids = drafts.filter(({ details }) => details).map(({ row }) => row.id);
  if (ids.length === 0) return;
  const rows = await trx.selectFrom('device_details').select(['device_id', 'details']).where('device_id', 'in', ids).execute();
  // Only this file writes the column.
  const former = new Map(rows.map(({ device_id, details }) => [device_id, JSON.parse(details) as DetailsReport]));
  for (const draft of drafts) {
    if (!draft.details) continue;
    const before = former.get(draft.row.id);
    // Readings are of what was said now, the record is of what is known.
    const said = draft.details;
    if (draft.detailsParts && before) draft.details = onto(before, said, draft.detailsParts);
    draft.detailsNews = newsOf(draft.details, before);
    draft.samples.push(...wirelessSamples(said, before, at));
    // A place that moves a little every time must not creep away unseen: the one that is kept stays the one that it is compared with.
    if (draft.details.position && before?.position && !draft.detailsNews.position)
      draft.details = {
        ...draft.details,
        position: { ...draft.details.position, latitude: before.position.latitude, longitude: before.position.longitude },
      };
  }
}

/** Changes of inputs and outputs, as texts that are kept with the moment from which they were so. */
export function pinStatesOf({ row, detailsNews }: PendingChanges, at: number): NewRow<'device_states'>[] {
  return (detailsNews?.pins ?? []).map(({ name, state }) => ({ device_id: row.id, name: `pin_${name}`, at, value: String(state) }));
}

/** Keeps the last details of devices and where they were, and sends them to the followers of each. */
export async function storeDetails(
  ctx: Pick<Context, 'clock' | 'database' | 'live' | 'cells'>,
  trx: Trx,
  drafts: readonly PendingChanges[],
): Promise<void> {
  const at = ctx.clock.now();
  const news = drafts.flatMap(({ row, details, detailsNews }) => (details && detailsNews ? [{ id: row.id, details, ...detailsNews }] : []));
  for (const { id, details, isNew, former, report } of news) {
    if (isNew) await storeHosts(trx, id, { former, report, at });
    const values = { details: JSON.stringify(details), received_at: at };
    await trx
      .insertInto('device_details')
      .values({ device_id: id, ...values, changed_at: at, backed_up_at: null, backed_up_settings: null })
      .onConflict((conflict) =>
        conflict.column('device_id').doUpdateSet({
          ...values,
          ...(isNew ? { changed_at: at } : {}),
          // The first report after a backup says what was backed up.
          backed_up_settings: sql<string | null>`coalesce(device_details.backed_up_settings,
            case when device_details.backed_up_at is null then null else ${details.settings} end)`,
        }),
      )
      .execute();
    await storeWireless(trx, id, details, at);
    afterCommit(trx, () => ctx.live.publish(`devices.${id}.details`, 'DeviceDetailsChanged', { id }));
  }
  const positions = news.flatMap(({ id, position }): NewRow<'device_positions'>[] => {
    if (!position) return [];
    const { latitude, longitude, altitude, accuracy, satellites, speed } = position;
    return [{ device_id: id, at, latitude, longitude, altitude, accuracy, satellites, speed }];
  });
  if (positions.length > 0)
    await trx
      .insertInto('device_positions')
      .values(positions)
      .onConflict((conflict) => conflict.columns(['device_id', 'at']).doNothing())
      .execute();
  const inOtherCells =
    ctx.cells.size === 0 ? [] : drafts.filter(({ changes }) => changes.cell_id !== undefined || changes.lac !== undefined);
  await putPlaces(trx, ctx, [...positions.map((position) => position.device_id), ...inOtherCells.map(({ row }) => row.id)], at);
}
