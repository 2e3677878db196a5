import { sql } from 'kysely';
import type { RemoteConsent } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { CONSENT_ASKED_MS, findConsent, isOfSide } from '../../domain/remote/consent.ts';
import { ConsentNotYours, ConsentWaits } from '../../domain/remote/errors.ts';
import { findRemoteRules } from '../../domain/remote/settings.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { idsOnPath, isVisible, isWithin } from '../../kernel/tenancy.ts';
import { findTarget, type TermsTarget } from './terms.ts';

const MOST_ASKED = 50;

const columns: ListColumns = {
  id: sql.ref('remote_consents.id'),
  sorts: {
    id: { by: sql.ref('remote_consents.id') },
    user_name: byText('remote_consents.user_name'),
    device_name: { by: sql.ref('devices.name_key') },
    company_name: byText('companies.name'),
    asked_at: { by: sql.ref('remote_consents.asked_at') },
    expires_at: { by: sql.ref('remote_consents.expires_at') },
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('remote_consents.device_id'), integers(values)),
    company_id: (values) => isWithin(sql.ref('remote_consents.company_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('remote_consents.user_name'), sql.ref('devices.name'), sql.ref('remote_consents.purpose')], text),
};

/** Questions about devices that are still where they were asked. */
const visibleConsents = (db: Db, actor: Actor) =>
  db
    .selectFrom('remote_consents')
    .innerJoin('companies', 'companies.id', 'remote_consents.company_id')
    .innerJoin('devices', (join) =>
      join.onRef('devices.id', '=', 'remote_consents.device_id').onRef('devices.company_id', '=', 'remote_consents.company_id'),
    )
    .where(isVisible(actor, 'remote_consents'));

function stateOf({ state, expires_at }: Pick<Row<'remote_consents'>, 'state' | 'expires_at'>, now: number): RemoteConsent['state'] {
  if (expires_at > now || state === 'refused') return state;
  return state === 'asked' ? 'timed-out' : 'over';
}

/** One page of who asked for remote access to devices of companies that the actor sees. */
export async function listConsents(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: RemoteConsent[]; total: number }> {
  const base = visibleConsents(ctx.reads, actor);
  const { rows: found, total } = await applyListQuery(base.select('remote_consents.id'), query, columns);
  const ids = found.map(({ id }) => id);
  const rows = await base
    .selectAll('remote_consents')
    .select(['devices.name as device_name', 'companies.name as company_name', 'companies.path'])
    .where('remote_consents.id', 'in', ids)
    .execute();
  const now = ctx.clock.now();
  const shown: RemoteConsent[] = [];
  for (const row of rows) {
    const state = stateOf(row, now);
    const isOpen = state === 'asked' || state === 'given';
    const mayDecide =
      isOpen && can(actor, 'update_device_remote_access') && isOfSide(actor, await findRemoteRules(ctx.reads, row.path), row.path);
    shown.push({
      id: row.id,
      device_id: row.device_id,
      device_name: row.device_name,
      company_id: row.company_id,
      company_name: row.company_name,
      user_name: row.user_name,
      user_company: row.user_company,
      purpose: row.purpose,
      state,
      can_decide: mayDecide ? 1 : 0,
      decided_by_name: row.decided_by_name,
      decided_at: wireTime(row.decided_at),
      asked_at: wireTime(row.asked_at),
      expires_at: wireTime(row.expires_at),
    });
  }
  return { rows: inOrderOf(ids, shown), total };
}

/** Those who may decide: enabled members of the companies between the one that asks for consent and the device's. */
async function findDeciders(trx: Trx, companyPath: string): Promise<number[]> {
  const rules = await findRemoteRules(trx, companyPath);
  const above = new Set(idsOnPath(rules.company_path).slice(0, -1));
  const members = await trx
    .selectFrom('memberships')
    .select('memberships.user_id')
    .distinct()
    .where(
      'memberships.company_id',
      'in',
      idsOnPath(companyPath).filter((id) => !above.has(id)),
    )
    .where('memberships.disabled_at', 'is', null)
    .where('memberships.role_id', 'in', (eb) =>
      eb
        .selectFrom('role_permissions')
        .select('role_permissions.role_id')
        .where('role_permissions.permission', 'in', ['super_admin', 'update_device_remote_access']),
    )
    .limit(MOST_ASKED)
    .execute();
  return members.map((member) => member.user_id);
}

/** Asks those who may decide whether the actor may reach a device. Throws what `findTarget` does, and REMOTE_CONSENT_WAITS for one who was answered no, or is waiting. */
export async function askConsent(ctx: Context, { actor, origin }: Caller, given: TermsTarget & { purpose: string }): Promise<void> {
  const { device, companyPath } = await findTarget(ctx, actor, given);
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { state } = await findConsent(ctx, trx, actor, { device, companyPath });
    if (state === 'not-needed' || state === 'given') return;
    if (state === 'asked' || state === 'refused') throw new ConsentWaits({});
    const company = await trx
      .selectFrom('companies')
      .select('companies.name')
      .where('companies.id', '=', actor.companyId)
      .executeTakeFirst();
    const row = await trx
      .insertInto('remote_consents')
      .values({
        company_id: device.company_id,
        device_id: device.id,
        user_id: actor.userId,
        user_name: actor.name,
        user_company: company?.name ?? '',
        purpose: given.purpose,
        asked_at: at,
        state: 'asked',
        decided_at: null,
        decided_by_name: null,
        expires_at: at + CONSENT_ASKED_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const deciders = await findDeciders(trx, companyPath);
    await queueNotifications(
      trx,
      at,
      deciders.map((userId) => ({
        kind: 'remoteAccessAsked',
        companyId: device.company_id,
        subjectId: row.id,
        subjectName: actor.name,
        userId,
        details: { device: device.name, purpose: given.purpose },
      })),
    );
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'remote-access.ask-consent',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: null,
        after: { purpose: given.purpose },
      },
    ]);
  });
}

/** Allows a question for so many hours, or refuses it with `undefined`, which ends the sessions of that person on the device. Throws NOT_FOUND, REMOTE_CONSENT_OF_OTHERS. */
export async function decideConsent(ctx: Context, { actor, origin }: Caller, id: number, hours: number | undefined): Promise<void> {
  const at = ctx.clock.now();
  const sessions = await inTransaction(ctx.db, async (trx) => {
    const row = await visibleConsents(trx, actor)
      .selectAll('remote_consents')
      .select(['devices.name as device_name', 'companies.path', 'companies.name as company_name'])
      .where('remote_consents.id', '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFound({});
    if (!isOfSide(actor, await findRemoteRules(trx, row.path), row.path)) throw new ConsentNotYours({ company: row.company_name });
    const state = stateOf(row, at);
    if (state !== 'asked' && state !== 'given') throw new NotFound({});
    await trx
      .updateTable('remote_consents')
      .set({
        state: hours === undefined ? 'refused' : 'given',
        decided_at: at,
        decided_by_name: actor.name,
        expires_at: at + (hours === undefined ? CONSENT_ASKED_MS : hours * HOUR),
      })
      .where('id', '=', id)
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: hours === undefined ? 'remote-access.refuse-consent' : 'remote-access.allow-consent',
        entity: 'device',
        entityId: row.device_id,
        entityName: row.device_name,
        companyId: row.company_id,
        before: { state },
        after: { user: row.user_name, hours: hours ?? null },
      },
    ]);
    if (hours !== undefined) return [];
    return trx
      .selectFrom('remote_sessions')
      .select('id')
      .where('device_id', '=', row.device_id)
      .where('user_id', '=', row.user_id)
      .where('ended_at', 'is', null)
      .execute();
  });
  await ctx.remote.end(
    sessions.map((session) => session.id),
    'consent-refused',
  );
}
