import { sql } from 'kysely';
import type { FormData, Site } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { putPlaces } from '../../domain/places/put-places.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';

type SiteRow = Row<'sites'>;
type Found = SiteRow & { company_name: string; router_name: string | null; devices_count: number; offline_count: number };

const columns: ListColumns = {
  id: sql.ref('sites.id'),
  sorts: {
    id: { by: sql.ref('sites.id') },
    name: byText('sites.name'),
    address: byText('sites.address'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('sites.created_at') },
  },
  filters: { company_id: (values) => isWithin(sql.ref('sites.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('sites.name'), sql.ref('sites.address'), sql.ref('sites.contact_name')], text),
};

/** Devices at a site that the actor sees; with a status, those of it. */
const countAt = (actor: Actor, status?: number) =>
  sql<number>`(select count(*) from device_sites inner join devices on devices.id = device_sites.device_id
    where device_sites.site_id = sites.id and ${isVisible(actor, 'devices')} ${status === undefined ? sql`` : sql`and devices.status = ${sql.lit(status)}`})`;

const visibleSites = (db: Db, actor: Actor) =>
  db.selectFrom('sites').innerJoin('companies', 'companies.id', 'sites.company_id').where(isVisible(actor, 'sites'));

async function findSites(db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> {
  return visibleSites(db, actor)
    .selectAll('sites')
    .leftJoin('devices as router', 'router.id', 'sites.router_id')
    .select([
      'companies.name as company_name',
      'router.name as router_name',
      countAt(actor).as('devices_count'),
      countAt(actor, 0).as('offline_count'),
    ])
    .where('sites.id', 'in', ids)
    .execute();
}

async function requireSite(db: Db, actor: Actor, id: number, source?: string): Promise<Found> {
  const [row] = await findSites(db, actor, [id]);
  if (!row) throw new NotFound({}, source === undefined ? {} : { source });
  return row;
}

function present(row: Found): Site {
  const { created_at, updated_at, devices_count, offline_count, plan_image_id: _image, plan_spots: _spots, ...rest } = row;
  const texts = (['address', 'contact_name', 'contact_phone', 'contact_email', 'notes'] as const).map((name) => [name, rest[name] || null]);
  const numbers = { devices_count: Number(devices_count), offline_count: Number(offline_count) };
  return {
    ...rest,
    ...(Object.fromEntries(texts) as Pick<Site, 'address' | 'contact_name' | 'contact_phone' | 'contact_email' | 'notes'>),
    ...numbers,
    created_at: wireTime(created_at),
    updated_at: wireTime(updated_at),
  };
}

/** One page of the sites of companies that the actor sees. */
export async function listSites(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Site[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleSites(db, actor).select('sites.id'), query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findSites(db, actor, ids)).map(present), total };
}

/** One site. Throws NOT_FOUND. */
export async function getSite(ctx: Context, actor: Actor, id: number): Promise<Site> {
  return present(await requireSite(ctx.reads, actor, id));
}

/** Throws INVALID_FIELD for half a position. */
function valuesOf(input: FormData['sites/edit']) {
  const latitude = input.latitude ?? null;
  const longitude = input.longitude ?? null;
  if ((latitude === null) !== (longitude === null)) {
    const source = latitude === null ? 'latitude' : 'longitude';
    throw new InvalidFields([{ source, message: 'A position needs latitude and longitude.', params: { key: 'forms.sites.half_place' } }]);
  }
  return {
    name: input.name,
    address: input.address ?? '',
    latitude,
    longitude,
    contact_name: input.contact_name ?? '',
    contact_phone: input.contact_phone ?? '',
    contact_email: input.contact_email ?? '',
    notes: input.notes ?? '',
    router_id: input.router_id ?? null,
  };
}

/** Throws NOT_FOUND at `router_id` for a device that the actor does not see, or that is not of the site's company or below it. */
async function assertRouter(trx: Trx, actor: Actor, companyId: number, routerId: number | null | undefined): Promise<void> {
  if (routerId === null || routerId === undefined) return;
  const device = await trx
    .selectFrom('devices')
    .select('devices.id')
    .where('devices.id', '=', routerId)
    .where(isVisible(actor, 'devices'))
    .where(isWithin(sql.ref('devices.company_id'), [companyId]))
    .executeTakeFirst();
  if (!device) throw new NotFound({}, { source: 'router_id' });
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  verb: string,
  at: number,
  [before, after]: readonly [SiteRow | null, SiteRow | null],
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const entry = { action: `sites.${verb}`, entity: 'site', entityId: row.id, entityName: row.name, companyId: row.company_id };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before && { ...before }, after: after && { ...after } }]);
}

async function devicesAt(trx: Trx, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('device_sites').select('device_id').where('site_id', '=', id).execute();
  return rows.map((row) => row.device_id);
}

const rowOf = ({ company_name: _name, router_name: _router, devices_count: _devices, offline_count: _offline, ...row }: Found): SiteRow =>
  row;

/** Adds a site. Throws NOT_FOUND at `company_id`, NAME_TAKEN, INVALID_FIELD. */
export function addSite(ctx: Context, caller: Caller, { company_id: companyId, ...input }: FormData['sites/new']): Promise<number> {
  const at = ctx.clock.now();
  return withUniqueName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, caller.actor, companyId, 'company_id');
      await assertRouter(trx, caller.actor, company.id, input.router_id);
      const values = { company_id: company.id, ...valuesOf(input), created_at: at, updated_at: at };
      const row = await trx.insertInto('sites').values(values).returningAll().executeTakeFirstOrThrow();
      await record(trx, caller, 'new', at, [null, row]);
      return row.id;
    }),
  );
}

/** Changes a site; devices without a position of their own go with it. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD. */
export async function editSite(ctx: Context, caller: Caller, id: number, input: FormData['sites/edit']): Promise<void> {
  const at = ctx.clock.now();
  await withUniqueName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const before = rowOf(await requireSite(trx, caller.actor, id));
      await assertRouter(trx, caller.actor, before.company_id, input.router_id);
      const after = await trx
        .updateTable('sites')
        .set({ ...valuesOf(input), updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (before.latitude !== after.latitude || before.longitude !== after.longitude)
        await putPlaces(trx, ctx, await devicesAt(trx, id), at);
      await record(trx, caller, 'edit', at, [before, after]);
    }),
  );
}

/** Removes a site; its devices are at none then. Throws NOT_FOUND. */
export async function removeSite(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = rowOf(await requireSite(trx, caller.actor, id));
    const devices = await devicesAt(trx, id);
    await trx.deleteFrom('sites').where('id', '=', id).execute();
    await putPlaces(trx, ctx, devices, at);
    await record(trx, caller, 'remove', at, [before, null]);
  });
}

/**
 * Assigns devices to a site, or to none. Throws NOT_FOUND at `site_id`, INVALID_FIELD for devices of companies that the site is not for:
 * those beside and above its own.
 */
export async function placeDevices(ctx: Context, caller: Caller, ids: readonly number[], siteId: number | null): Promise<void> {
  const { actor, origin } = caller;
  const { tools } = ctx.database;
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const site = siteId === null ? undefined : await requireSite(trx, actor, siteId, 'site_id');
    const devices = await trx
      .selectFrom('devices')
      .innerJoin('companies', 'companies.id', 'devices.company_id')
      .leftJoin('device_sites', 'device_sites.device_id', 'devices.id')
      .select(['devices.id', 'devices.name', 'devices.company_id', 'companies.path', 'device_sites.site_id'])
      .where('devices.id', 'in', tools.idList(ids))
      .where(isVisible(actor, 'devices'))
      .execute();
    if (devices.length < ids.length) throw new NotFound({}, { source: 'device_id' });
    const foreign = site && devices.find(({ path }) => !path.split('/').includes(String(site.company_id)));
    if (foreign)
      throw new InvalidFields([
        {
          source: 'site_id',
          message: `The site is of another company than "${foreign.name}".`,
          params: { key: 'forms.devices.site.foreign', device: foreign.name },
        },
      ]);
    const moved = devices.filter((device) => device.site_id !== siteId);
    const list = tools.idList(moved.map(({ id }) => id));
    await trx.deleteFrom('device_sites').where('device_id', 'in', list).execute();
    if (site)
      await sql`insert into device_sites (device_id, site_id) select devices.id, ${sql.lit(site.id)} from devices where devices.id in ${list}`.execute(
        trx,
      );
    await putPlaces(
      trx,
      ctx,
      moved.map(({ id }) => id),
      at,
    );
    await writeAudit(
      trx,
      { actor, origin, at },
      moved.map((device) => ({
        action: 'devices.site',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: { site_id: device.site_id },
        after: { site_id: siteId },
      })),
    );
  });
}
