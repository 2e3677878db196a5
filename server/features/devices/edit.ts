import type { CustomValue } from '../../../schemas/kit/devices/custom-fields.ts';
import { PERIOD_KEYS } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Actor, type Origin } from '../../kernel/actor.ts';
import { writeAudit, type AuditEntry } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { putCustomValues } from '../../domain/devices/custom-fields.ts';
import { presentDeviceFields } from '../../domain/devices/present.ts';
import { sendPeriods } from '../../domain/devices/send-period.ts';
import { putPlaces } from '../../domain/places/put-places.ts';
import { deviceSearchText } from '../../domain/devices/search-text.ts';
import { AppError, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { changeTagsIn, type TagRequest } from './tag-changes.ts';

export interface DeviceChange {
  id: number;
  name?: string;
  description?: string;
  /** Seconds between two reports; null: as set when the device joined. */
  dynamic_monitoring?: number | null;
  /** The same of parts of it; null: when something changed, and now and then. */
  static_monitoring?: number | null;
  io_monitoring?: number | null;
  gps_monitoring?: number | null;
  wireless_monitoring?: number | null;
  hotspot_monitoring?: number | null;
  /** Degrees; null takes the position away. */
  user_set_latitude?: number | null;
  user_set_longitude?: number | null;
  /** All the tags that it has then. */
  tag_id?: readonly number[];
  /** All that its custom fields hold then. */
  custom?: Readonly<Record<string, CustomValue | null>>;
}

const EDITABLE = ['name', 'description', 'dynamic_monitoring', ...PERIOD_KEYS, 'user_set_latitude', 'user_set_longitude'] as const;

type Found = Row<'devices'> & { company_path: string };

async function findForEdit(trx: Trx, ctx: Context, actor: Actor, ids: readonly number[]): Promise<Map<number, Found>> {
  const rows = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function assertAllFound(
  found: Map<number, Found>,
  changes: readonly DeviceChange[],
  sourceOf: (index: number) => string | undefined,
): void {
  const missing = changes.flatMap((change, index) => (found.has(change.id) ? [] : [sourceOf(index)]));
  const [first, ...rest] = missing.map((source) => new NotFound({}, source === undefined ? {} : { source }).items[0]);
  if (first) throw new AppError([{ ...first, code: 'NOT_FOUND' }, ...rest.flatMap((item) => item ?? [])]);
}

/** The path of a member beside the id of its device. */
function beside(at: string | undefined, name: string): string {
  return at?.endsWith('.id') ? `${at.slice(0, -'id'.length)}${name}` : name;
}

/** The tags that are asked for, devices with the same ones together; one that is named twice gets its last ones. */
function tagRequests(changes: readonly DeviceChange[], sourceOf: (index: number) => string | undefined): TagRequest[] {
  const last = new Map(changes.flatMap(({ id, tag_id }, index) => (tag_id ? [[id, { tagIds: tag_id, index }] as const] : [])));
  const groups = Map.groupBy(last, ([, { tagIds }]) => tagIds.toSorted((a, b) => a - b).join());
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const [, { tagIds, index }] = first;
    const at = sourceOf(index);
    return [{ deviceIds: group.map(([id]) => id), tagIds, source: { devices: at ?? 'id', tags: beside(at, 'tag_id') } }];
  });
}

/** Throws INVALID_FIELD for half a position. */
function assertWholePlace(after: Row<'devices'>, at: string | undefined): void {
  const { user_set_latitude: latitude, user_set_longitude: longitude } = after;
  if ((latitude === null) === (longitude === null)) return;
  const name = latitude === null ? 'user_set_latitude' : 'user_set_longitude';
  const source = beside(at, name);
  const params = { key: 'forms.devices.edit.half_place' };
  throw new InvalidFields([{ source, message: 'A position needs latitude and longitude.', params }]);
}

async function applyChange(
  ctx: Context,
  trx: Trx,
  before: Found,
  { change, at, source }: { change: DeviceChange; at: number; source: string | undefined },
): Promise<AuditEntry | undefined> {
  const { company_path: path, ...row } = before;
  const news = EDITABLE.filter((name) => change[name] !== undefined && change[name] !== row[name]);
  const custom = change.custom && (await putCustomValues(trx, before, change.custom, beside(source, 'custom')));
  if (news.length === 0 && !custom) return undefined;
  const changes: Changes<'devices'> = Object.fromEntries(news.map((name) => [name, change[name]]));
  const after: Row<'devices'> = { ...row, ...Object.fromEntries(Object.entries(changes)), updated_at: at };
  assertWholePlace(after, source);
  await trx
    .updateTable('devices')
    .set({ ...changes, search_text: deviceSearchText(after), updated_at: at })
    .where('id', '=', row.id)
    .execute();
  if (news.includes('user_set_latitude') || news.includes('user_set_longitude')) await putPlaces(trx, ctx, [row.id], at);
  const { id, company_id } = row;
  const shown: Partial<Device> = presentDeviceFields(after);
  afterCommit(trx, async () => {
    ctx.live.publishBelow(path, 'devices', 'DeviceChanged', {
      id,
      company_id,
      ...Object.fromEntries(Object.entries(shown).filter(([name]) => news.some((field) => field === name))),
      ...(custom ? { custom: custom.after } : {}),
    });
    if (news.some((name) => name.endsWith('_monitoring')) && after.status === 1) await sendPeriods(ctx, after, ctx.config.reportSeconds);
  });
  return {
    action: 'devices.edit',
    entity: 'device',
    entityId: id,
    entityName: after.name,
    companyId: company_id,
    before: { ...deviceHistory(row), ...(custom ? { custom: custom.before } : {}) },
    after: { ...deviceHistory(after), ...(custom ? { custom: custom.after } : {}) },
  };
}

/**
 * Changes names, descriptions, positions, periods, custom fields and tags, of all the devices or of none. Throws NOT_FOUND for each device that is not there,
 * at the place that `sourceOf` gives for its index, and FORBIDDEN for tags without the right to change those.
 */
export async function editDevices(
  ctx: Context,
  { actor, origin }: { actor: Actor; origin: Origin },
  changes: readonly DeviceChange[],
  sourceOf: (index: number) => string | undefined,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const found = await findForEdit(
      trx,
      ctx,
      actor,
      changes.map((change) => change.id),
    );
    assertAllFound(found, changes, sourceOf);
    const entries: AuditEntry[] = [];
    for (const [index, change] of changes.entries()) {
      const device = found.get(change.id);
      const entry = device && (await applyChange(ctx, trx, device, { change, at, source: sourceOf(index) }));
      if (entry) entries.push(entry);
    }
    await writeAudit(trx, { actor, origin, at }, entries);
    const tagged = tagRequests(changes, sourceOf);
    if (tagged.length === 0) return;
    requirePermission(actor, 'update_tags');
    await changeTagsIn(ctx, trx, { actor, origin }, 'overwrite', tagged);
  });
}
