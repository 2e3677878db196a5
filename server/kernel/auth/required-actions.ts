import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { idsOnPath } from '../tenancy.ts';
import type { Actor } from '../actor.ts';
import { EmailNotVerified, MfaMandatory, TermsNotAccepted } from './errors.ts';

/** What a person has to do before anything else: confirm the address, set up a second factor that the company asks for, accept the terms of service. */
export type Duty = 'email' | 'mfa' | 'terms';

const refusals = { email: () => new EmailNotVerified({}), mfa: () => new MfaMandatory({}), terms: () => new TermsNotAccepted({}) };

/** Whether one of the companies on this path requires a second factor. */
export async function isMfaDemanded(db: Db, place: Pick<Actor, 'companyPath'>): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .select('id')
    .where('id', 'in', idsOnPath(place.companyPath))
    .where('requires_mfa', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const findDone = (db: Db, { userId, companyIds }: { userId: number; companyIds: readonly number[] }) =>
  db
    .selectFrom('users')
    .select(['email_unverified', 'accepted_terms'])
    .select((eb) => [
      eb
        .selectFrom('second_factors')
        .whereRef('second_factors.user_id', '=', 'users.id')
        .where('confirmed_at', 'is not', null)
        .select(sql<number>`count(*)`.as('count'))
        .as('factors'),
      eb
        .selectFrom('passkeys')
        .whereRef('passkeys.user_id', '=', 'users.id')
        .select(sql<number>`count(*)`.as('count'))
        .as('passkeys'),
      eb
        .selectFrom('companies')
        .where('companies.id', 'in', companyIds)
        .where('requires_mfa', '=', 1)
        .select(sql<number>`count(*)`.as('count'))
        .as('demands'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();

/** The first thing that the actor still has to do, if any. Programs are not asked to accept terms: their owner is, at the next sign-in. */
export async function findDuty(ctx: Pick<Context, 'reads' | 'config'>, actor: Actor): Promise<Duty | undefined> {
  // People who impersonate somebody have done their own required actions; those of the other person are not theirs.
  if (actor.onBehalfOf !== null) return undefined;
  const row = await findDone(ctx.reads, { userId: actor.userId, companyIds: idsOnPath(actor.companyPath) });
  if (!row) return undefined;
  if (row.email_unverified === 1) return 'email';
  if (Number(row.demands) > 0 && Number(row.factors) + Number(row.passkeys) === 0) return 'mfa';
  const { terms } = ctx.config;
  return terms && actor.via === 'session' && row.accepted_terms !== terms.version ? 'terms' : undefined;
}

/** Throws EMAIL_NOT_VERIFIED, MFA_MANDATORY or TERMS_NOT_ACCEPTED while the actor has a duty that this call does not serve. */
export async function requireDutiesDone(
  ctx: Pick<Context, 'reads' | 'config'>,
  actor: Actor | undefined,
  served: readonly Duty[] = [],
): Promise<void> {
  const duty = actor && (await findDuty(ctx, actor));
  if (duty && !served.includes(duty)) throw refusals[duty]();
}
