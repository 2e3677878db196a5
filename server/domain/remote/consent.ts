import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { ConsentNeeded } from './errors.ts';
import { findRemoteRules, type RemoteRules } from './settings.ts';
import type { EntryOfDevice } from './begin-session.ts';

/** A question that nobody answers is over after this, and somebody who was refused asks again no sooner. */
export const CONSENT_ASKED_MS = 10 * MINUTE;

/** not-needed · needed: not asked yet · asked · given · refused · timed-out: asked, and nobody answered. */
export type ConsentState = 'not-needed' | 'needed' | 'asked' | 'given' | 'refused' | 'timed-out';

/** Where a device is, as consent needs it. */
export interface ConsentPlace {
  device: { id: number; company_id: number };
  companyPath: string;
}

/**
 * Whether a person belongs to the side that gives consent: the company that asks for it, or one between it and the device's. Who impersonates somebody there
 * does not.
 */
export function isOfSide(actor: Pick<Actor, 'companyPath' | 'onBehalfOf'>, rules: RemoteRules, devicePath: string): boolean {
  return actor.onBehalfOf === null && actor.companyPath.startsWith(rules.company_path) && devicePath.startsWith(actor.companyPath);
}

/** The newest question of a person about a device of this company. */
async function findLatest(db: Db, actor: Actor, { device }: ConsentPlace): Promise<Row<'remote_consents'> | undefined> {
  return db
    .selectFrom('remote_consents')
    .selectAll()
    .where('device_id', '=', device.id)
    .where('company_id', '=', device.company_id)
    .where('user_id', '=', actor.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether somebody needs consent for a device, and how far it is. */
export async function findConsent(
  ctx: Pick<Context, 'clock'>,
  db: Db,
  actor: Actor,
  place: ConsentPlace,
): Promise<{ state: ConsentState; expiresAt: number | null }> {
  const rules = await findRemoteRules(db, place.companyPath);
  if (rules.asks_consent === 0 || isOfSide(actor, rules, place.companyPath)) return { state: 'not-needed', expiresAt: null };
  const latest = await findLatest(db, actor, place);
  if (!latest) return { state: 'needed', expiresAt: null };
  const isOver = latest.expires_at <= ctx.clock.now();
  if (latest.state === 'asked') return { state: isOver ? 'timed-out' : 'asked', expiresAt: latest.expires_at };
  if (isOver) return { state: 'needed', expiresAt: null };
  return { state: latest.state, expiresAt: latest.expires_at };
}

/** Answers when consent ends, null where none is needed. Throws REMOTE_CONSENT_NEEDED. */
export async function assertConsent(ctx: Context, actor: Actor, { device, companyPath }: EntryOfDevice): Promise<number | null> {
  const { state, expiresAt } = await findConsent(ctx, ctx.db, actor, { device, companyPath });
  if (state !== 'not-needed' && state !== 'given') throw new ConsentNeeded({});
  return expiresAt;
}
