import { sql } from 'kysely';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { inOrderOf, textKey } from '../../kernel/apply-list-query.ts';
import { readCustomValues } from '../../domain/devices/custom-fields.ts';
import { presentDevice, presentedColumns, type PresentedRow } from '../../domain/devices/present.ts';
import { isVisible } from '../../kernel/tenancy.ts';

type Reading = Pick<Context, 'reads' | 'database'>;

interface CompanyNames {
  name: string;
  path: string[];
}

/** The number of steps above the actor's own company: that many names are left out of every path. */
function hiddenSteps(actor: Actor): number {
  return actor.scope === 'all' ? 0 : actor.companyPath.split('/').length - 3;
}

async function findCompanyNames(ctx: Reading, actor: Actor, ids: readonly number[]): Promise<Map<number, CompanyNames>> {
  const rows = await ctx.reads
    .selectFrom('companies')
    .leftJoin('companies as parent', 'parent.id', 'companies.parent_id')
    .leftJoin('companies as grandparent', 'grandparent.id', 'parent.parent_id')
    .select(['companies.id', 'companies.name', 'parent.name as parent_name', 'grandparent.name as grandparent_name'])
    .where('companies.id', 'in', ctx.database.tools.idList(ids))
    .execute();
  return new Map(
    rows.map((row) => {
      const names = [row.grandparent_name, row.parent_name, row.name].flatMap((name) => name ?? []);
      return [row.id, { name: row.name, path: names.slice(hiddenSteps(actor)) }];
    }),
  );
}

async function findVisibleTags(ctx: Reading, actor: Actor, deviceIds: readonly number[]): Promise<Map<number, Device['tags']>> {
  const rows = await ctx.reads
    .selectFrom('device_tags')
    .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
    .select(['device_tags.device_id', 'tags.id', 'tags.name', 'tags.color'])
    .where('device_tags.device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where(isVisible(actor, 'tags'))
    .orderBy(textKey(sql.ref('tags.name')))
    .orderBy('tags.id')
    .execute();
  const byDevice = new Map<number, Device['tags']>();
  for (const { device_id, id, name, color } of rows) {
    const tags = byDevice.get(device_id) ?? [];
    tags.push({ id, name, color: color || null });
    byDevice.set(device_id, tags);
  }
  return byDevice;
}

async function findVisibleSites(
  ctx: Reading,
  actor: Actor,
  deviceIds: readonly number[],
): Promise<Map<number, { id: number; name: string }>> {
  const rows = await ctx.reads
    .selectFrom('device_sites')
    .innerJoin('sites', 'sites.id', 'device_sites.site_id')
    .select(['device_sites.device_id', 'sites.id', 'sites.name'])
    .where('device_sites.device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where(isVisible(actor, 'sites'))
    .execute();
  return new Map(rows.map(({ device_id, ...site }) => [device_id, site]));
}

/** The worst of the states that the devices have with their configuration templates, for those who may configure them. */
async function findStates(ctx: Reading, actor: Actor, deviceIds: readonly number[]): Promise<Map<number, Device['configuration_state']>> {
  if (!can(actor, 'create_multi_configuration')) return new Map();
  const rows = await ctx.reads
    .selectFrom('device_templates')
    .select(['device_id', 'state'])
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .execute();
  const worst = ['differs', 'unknown', 'equal'] as const;
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  return new Map([...byDevice].map(([id, own]) => [id, worst.find((state) => own.some((row) => row.state === state)) ?? null]));
}

/** Device rows as this actor sees them, in the order of the rows. The rows must be of companies that the actor sees. */
export async function presentDevices(ctx: Reading, actor: Actor, rows: readonly PresentedRow[]): Promise<Device[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [companies, tags, sites, states, custom, health] = await Promise.all([
    findCompanyNames(ctx, actor, [...new Set(rows.map((row) => row.company_id))]),
    findVisibleTags(ctx, actor, ids),
    findVisibleSites(ctx, actor, ids),
    findStates(ctx, actor, ids),
    readCustomValues(ctx, ids),
    ctx.reads.selectFrom('device_health').select(['device_id', 'score']).where('device_id', 'in', ctx.database.tools.idList(ids)).execute(),
  ]);
  const scores = new Map(health.map(({ device_id, score }) => [device_id, score]));
  return rows.map((row) => {
    const company = companies.get(row.company_id);
    const around = { companyName: company?.name ?? '', companyPath: company?.path ?? [], tags: tags.get(row.id) ?? [] };
    return presentDevice(row, {
      ...around,
      site: sites.get(row.id),
      configuration: states.get(row.id),
      custom: custom.get(row.id),
      health: scores.get(row.id),
    });
  });
}

/** The rows with these ids, in their order. */
export async function findDeviceRows(ctx: Reading, ids: readonly number[]): Promise<PresentedRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.reads.selectFrom('devices').select(presentedColumns).where('id', 'in', ctx.database.tools.idList(ids)).execute();
  return inOrderOf(ids, rows);
}

/** The device's row when the actor sees it. */
export async function findDevice(db: Db, actor: Actor, id: number): Promise<Row<'devices'> | undefined> {
  return db.selectFrom('devices').selectAll().where('devices.id', '=', id).where(isVisible(actor, 'devices')).executeTakeFirst();
}
