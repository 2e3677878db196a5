import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** Company data is in the ledger of credits as a type of its own, in bytes; no form and no list of credits knows it. */
export const DATA_BYTES_TYPE_ID = 0;
/** What a company has to begin with. */
export const FIRST_DATA_BYTES = 5 * 1024 ** 3;

/** Bytes that the traffic of a device may still use: those of its own data pack first, then those of its company. */
export interface DataLeft {
  /** undefined without a pack that runs. */
  pack: number | undefined;
  company: number;
}

/** What a company has of data; one that has never had any gets the first of it soon. */
export async function companyDataLeft(db: Db, companyId: number, at: number): Promise<number> {
  const held = await db
    .selectFrom('credit_accounts')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`coalesce(sum(case when expires_at is null or expires_at > ${at} then balance else 0 end), 0)`.as('left'),
    ])
    .where('company_id', '=', companyId)
    .where('kind', '=', 'company')
    .where('credit_type_id', '=', DATA_BYTES_TYPE_ID)
    .executeTakeFirstOrThrow();
  return Number(held.accounts) === 0 ? FIRST_DATA_BYTES : Number(held.left);
}

/** What the traffic of a device may still use. */
export async function deviceDataLeft(db: Db, device: { id: number; company_id: number }, at: number): Promise<DataLeft> {
  const pack = await db
    .selectFrom('device_credits')
    .select('bytes_left')
    .where('device_id', '=', device.id)
    .where('service', '=', 'data')
    .where('state', '=', 'running')
    .where('ends_at', '>', at)
    .executeTakeFirst();
  return { pack: pack?.bytes_left, company: await companyDataLeft(db, device.company_id, at) };
}
