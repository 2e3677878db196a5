import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import {
  findPasskeys,
  makePasskeyChallenge,
  readNewPasskey,
  spendPasskeyChallenge,
  type Passkey,
  type Site,
} from '../../kernel/auth/passkeys.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { PasskeyRefused } from './errors.ts';
import { dropCodesOfLast, firstRecoveryCodes } from './recovery.ts';

const MAX_PASSKEYS = 20;

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: number;
  name: string;
  last_used_at: string | null;
  created_at: string;
}

export function presentPasskey({ id, name, last_used_at, created_at }: Passkey): PasskeyView {
  return { id, name, last_used_at: wireTime(last_used_at), created_at: wireTime(created_at) };
}

function requireSite(site: Site | undefined): Site {
  if (!site) throw new PasskeyRefused({});
  return site;
}

function entry(actor: Actor, action: string, before: PasskeyView | null, after: PasskeyView | null) {
  const { userId: entityId, name: entityName, companyId } = actor;
  return { action, entity: 'user', entityId, entityName, companyId, before: before && { ...before }, after: after && { ...after } };
}

/** What the browser needs to make a passkey (WebAuthn creation options). Throws PASSKEY_REFUSED where browsers have none, INVALID_FIELD for too many. */
export async function beginPasskey(ctx: Context, actor: Actor, site: Site | undefined) {
  const { id: rpID } = requireSite(site);
  const known = await findPasskeys(ctx.reads, actor.userId);
  if (known.length >= MAX_PASSKEYS)
    throw new InvalidFields([{ source: 'name', message: `You have ${MAX_PASSKEYS} passkeys already.`, params: { max: MAX_PASSKEYS } }]);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'Canopy',
    rpID,
    userName: actor.email,
    userDisplayName: actor.name,
    userID: Buffer.from(`canopy user ${actor.userId}`),
    challenge: Buffer.from(await makePasskeyChallenge(ctx, actor.userId), 'base64url'),
    excludeCredentials: known.map((passkey) => ({ id: passkey.credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Keeps a passkey that the browser has made. Answers the recovery codes that come with the first factor. Throws PASSKEY_REFUSED. */
export async function addPasskey(
  ctx: Context,
  { actor, origin }: Caller,
  input: { response: string; name: string; site: Site | undefined },
): Promise<{ passkey: PasskeyView; recovery_codes: string[] }> {
  if (actor.sessionId === undefined) throw new SessionRequired({});
  const isExpected = (challenge: string) => spendPasskeyChallenge(ctx, actor.userId, challenge);
  const made = await readNewPasskey(ctx, { response: input.response, site: requireSite(input.site), isExpected });
  if (!made) throw new PasskeyRefused({});
  const at = ctx.clock.now();
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const row = await trx
          .insertInto('passkeys')
          .values({ ...made, user_id: actor.userId, name: input.name, last_used_at: null, created_at: at })
          .returningAll()
          .executeTakeFirstOrThrow();
        const passkey = presentPasskey(row);
        await writeAudit(trx, { actor, origin, at }, [entry(actor, 'account.passkey-added', null, passkey)]);
        return { passkey, recovery_codes: await firstRecoveryCodes(ctx, trx, actor.userId) };
      }),
    (cause) => new PasskeyRefused({}, { cause }),
  );
}

async function requireOwnPasskey(db: Db, actor: Actor, id: number): Promise<Passkey> {
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).where('user_id', '=', actor.userId).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** Gives one of the own passkeys another name. Throws NOT_FOUND. */
export async function renamePasskey(ctx: Context, { actor, origin }: Caller, id: number, name: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireOwnPasskey(trx, actor, id);
    await trx.updateTable('passkeys').set({ name }).where('id', '=', id).execute();
    const entries = [entry(actor, 'account.passkey-renamed', presentPasskey(before), presentPasskey({ ...before, name }))];
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, entries);
  });
}

/** Removes one of the own passkeys. Throws NOT_FOUND, and MFA_KEPT for the last factor where the company requires one. */
export async function removePasskey(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireOwnPasskey(trx, actor, id);
    await trx.deleteFrom('passkeys').where('id', '=', id).execute();
    await dropCodesOfLast(trx, actor);
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [entry(actor, 'account.passkey-removed', presentPasskey(before), null)]);
  });
}
