import { sql } from 'kysely';
import { CREDIT_KINDS } from '../../../schemas/kit/resources/credits.ts';
import type { Context } from '../../context.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { monthUse, simMonthUse } from '../../domain/devices/month-use.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { MOST_ROWS, readPart, type Part } from './parts.ts';

/** People are notified of credits when fewer are left; see features/credits/notify-low-balance.ts. */
const FEW_LEFT = 10;
const CREDITS_END_DAYS = 30;
const DEVICE_CREDITS_END_DAYS = 14;
/** Of a hundred. */
const DATA_PERCENT = 80;

/** Something that will not last: `left` credits, the end of credits or of a device's credit (`at`), or data of a month (bytes). */
export type RunningOut =
  | { kind: 'credits'; company_id: number; company_name: string; credit_kind: CreditKind; left: number }
  | { kind: 'credits_end'; company_id: number; company_name: string; credit_kind: CreditKind; left: number; at: string | null }
  | { kind: 'device_credit'; id: number; name: string; company_name: string; at: string | null }
  | { kind: 'sim'; id: number; name: string; company_name: string; used_bytes: number; limit_bytes: number }
  | { kind: 'data'; id: number; name: string; company_name: string; used_bytes: number; limit_bytes: number };

// Free and paid ones of a kind stand side by side, and which of the two somebody has is not said.
const kindNumber = sql`(credit_accounts.credit_type_id - 1) / 2`;
type CreditKind = (typeof CREDIT_KINDS)[number];
const kindOf = (row: Pick<CreditsRow, 'kind_number'>): CreditKind => CREDIT_KINDS[Number(row.kind_number)] ?? 'credit';
const ofCompanies = (actor: Actor) => sql`credit_accounts.kind = 'company' and credit_accounts.credit_type_id > 0
  and ${isVisible(actor, 'credit_accounts')}`;

interface CreditsRow {
  total: number;
  company_id: number;
  company_name: string;
  kind_number: number;
  left_over: number;
  at: number | null;
}

function readFewCredits(ctx: Context, actor: Actor): Promise<Part<RunningOut>> {
  const query = sql<CreditsRow>`select credit_accounts.company_id as company_id, companies.name as company_name, ${kindNumber} as kind_number,
    cast(sum(credit_accounts.balance) as integer) as left_over, null as at, count(*) over () as total
    from credit_accounts inner join companies on companies.id = credit_accounts.company_id
    where ${ofCompanies(actor)} and ${isVisible(actor, 'companies')}
    group by credit_accounts.company_id, companies.name, ${kindNumber}
    having sum(credit_accounts.balance) < ${FEW_LEFT} order by sum(credit_accounts.balance), companies.name limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ company_id, company_name, left_over, kind_number }) => ({
    kind: 'credits' as const,
    company_id,
    company_name,
    credit_kind: kindOf({ kind_number }),
    left: Number(left_over),
  }));
}

function readEndingCredits(ctx: Context, actor: Actor): Promise<Part<RunningOut>> {
  const now = ctx.clock.now();
  const query = sql<CreditsRow>`select credit_accounts.company_id as company_id, companies.name as company_name, ${kindNumber} as kind_number,
    credit_accounts.balance as left_over, credit_accounts.expires_at as at, count(*) over () as total
    from credit_accounts inner join companies on companies.id = credit_accounts.company_id
    where ${ofCompanies(actor)} and ${isVisible(actor, 'companies')} and credit_accounts.balance > 0
    and credit_accounts.expires_at between ${now} and ${now + CREDITS_END_DAYS * DAY} order by credit_accounts.expires_at limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ at, left_over, company_id, company_name, kind_number }) => ({
    kind: 'credits_end' as const,
    company_id,
    company_name,
    credit_kind: kindOf({ kind_number }),
    left: Number(left_over),
    at: wireTime(at),
  }));
}

interface DeviceRow {
  total: number;
  id: number;
  name: string;
  company_name: string;
}

/** Devices whose credit ends soon and is not extended. */
function readEndingDevices(ctx: Context, actor: Actor): Promise<Part<RunningOut>> {
  const now = ctx.clock.now();
  const query = sql<DeviceRow & { at: number | null }>`select devices.id, devices.name, companies.name as company_name,
    device_credits.ends_at as at, count(*) over () as total
    from device_credits inner join devices on devices.id = device_credits.device_id inner join companies on companies.id = devices.company_id
    where device_credits.state = 'running' and device_credits.auto_extend = 0 and ${isVisible(actor, 'devices')}
    and device_credits.ends_at between ${now} and ${now + DEVICE_CREDITS_END_DAYS * DAY} order by device_credits.ends_at limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ at, ...row }) => ({ ...row, kind: 'device_credit' as const, at: wireTime(at) }));
}

/** Devices that have used four fifths of their month's data. */
function readData(ctx: Context, actor: Actor): Promise<Part<RunningOut>> {
  const query = sql<DeviceRow & { used: number; most: number }>`select devices.id, devices.name, companies.name as company_name,
    months.used as used, months.most as most, count(*) over () as total
    from ${monthUse(ctx.clock.now())} as months
    inner join devices on devices.id = months.device_id inner join companies on companies.id = devices.company_id
    where months.used * 100 >= months.most * ${sql.lit(DATA_PERCENT)} and ${isVisible(actor, 'devices')}
    order by months.used * 1.0 / months.most desc limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ used, most, ...row }) => ({
    ...row,
    kind: 'data' as const,
    used_bytes: Number(used),
    limit_bytes: Number(most),
  }));
}

/** SIMs that have used four fifths of their month's data; `name` is their number. */
function readSims(ctx: Context, actor: Actor): Promise<Part<RunningOut>> {
  const used = simMonthUse(ctx.clock.now());
  const query = sql<DeviceRow & { used: number; most: number }>`select sims.id, sims.iccid as name, companies.name as company_name,
    ${used} as used, sims.limit_bytes as most, count(*) over () as total
    from sims inner join companies on companies.id = sims.company_id
    where sims.limit_bytes is not null and ${used} * 100 >= sims.limit_bytes * ${sql.lit(DATA_PERCENT)} and ${isVisible(actor, 'sims')}
    order by ${used} * 1.0 / sims.limit_bytes desc limit ${MOST_ROWS}`;
  return readPart(ctx, query, ({ used: bytes, most, ...row }) => ({
    ...row,
    kind: 'sim' as const,
    used_bytes: Number(bytes),
    limit_bytes: Number(most),
  }));
}

/** What runs out soon, the most pressing first, of what the actor sees; null when that is nothing at all. */
export async function readRunningOut(ctx: Context, actor: Actor): Promise<Part<RunningOut> | null> {
  const [seesCredits, seesDevices] = [ctx.config.hasResources && can(actor, 'view_credits'), can(actor, 'view_devices')];
  if (!seesCredits && !seesDevices) return null;
  const parts = await Promise.all([
    ...(seesDevices ? [readData(ctx, actor), readSims(ctx, actor)] : []),
    ...(seesDevices && ctx.config.hasResources ? [readEndingDevices(ctx, actor)] : []),
    ...(seesCredits ? [readEndingCredits(ctx, actor), readFewCredits(ctx, actor)] : []),
  ]);
  return { count: parts.reduce((sum, part) => sum + part.count, 0), rows: parts.flatMap(({ rows }) => rows).slice(0, MOST_ROWS) };
}
