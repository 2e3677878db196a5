import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** A site, a SIM, and a code and an account of credits. */
export async function makePlaceRecords(world: World, { company, user, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const creditCode = await db
    .insertInto('credit_codes')
    .values({
      company_id: company.id,
      credit_type_id: 2,
      amount: 1,
      code_hash: `${marker} ${company.id}`,
      hint: 'ABCD',
      comment: `${marker} code`,
      created_by: user.id,
      used_by_company_id: null,
      used_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = await db
    .insertInto('credit_accounts')
    .values({ kind: 'company', company_id: company.id, credit_type_id: 2, balance: 3, expires_at: now + 1000, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const site = await db
    .insertInto('sites')
    .values({
      router_id: null,
      company_id: company.id,
      name: marker,
      address: marker,
      latitude: null,
      longitude: null,
      contact_name: '',
      contact_phone: '',
      contact_email: '',
      notes: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sim = await db
    .insertInto('sims')
    .values({
      ...{ company_id: company.id, iccid: marker, imsi: marker, operator: marker, device_id: null, modem: 1, slot: 1 },
      ...{ first_seen_at: now, last_seen_at: now, phone_number: marker, note: marker, limit_bytes: null, starts_on: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    sites: site.id,
    sims: sim.id,
    credits: account.id,
    'credits/codes': creditCode.id,
  };
}
