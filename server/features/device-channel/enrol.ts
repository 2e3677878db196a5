import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { findAwaited, type Joining as Joined } from '../../domain/devices/awaited.ts';
import { makeCredential, type Credential } from '../../domain/devices/credentials.ts';
import { hashEnrolmentCode } from '../../domain/devices/enrolment-code.ts';
import { addDeviceEvents, attemptCodes } from '../../domain/devices/events.ts';
import { decisionAbout } from '../../domain/devices/serial-numbers.ts';
import { presentDevice } from '../../domain/devices/present.ts';
import { deviceSearchText } from '../../domain/devices/search-text.ts';
import { TooManyRequests } from '../../kernel/errors.ts';
import { createLimiter } from '../../kernel/limiter.ts';
import { queueTagActions } from '../../domain/tags/queue-tag-actions.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { isPresentPath, pathEnd } from '../../kernel/tenancy.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import type { Origin } from '../../kernel/actor.ts';
import { EnrolmentRefused, joinAwaited } from './join-awaited.ts';

const MAX_TOGETHER = 20;

/** Who wants to join; already checked and cleaned. */
export interface Newcomer extends Joined {
  code: string;
}

/** `maker_scope`: how far the maker of the code sees, in the role that they have in its company now. */
type Code = Row<'enrolment_codes'> & { company_path: string; company_name: string; maker_scope: Row<'roles'>['scope'] | null };

function findCode(db: Context['db'] | Trx, code: string): Promise<Code | undefined> {
  return db
    .selectFrom('enrolment_codes')
    .innerJoin('companies', 'companies.id', 'enrolment_codes.company_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'enrolment_codes.created_by')
        .onRef('memberships.company_id', '=', 'enrolment_codes.company_id'),
    )
    .leftJoin('roles', 'roles.id', 'memberships.role_id')
    .selectAll('enrolment_codes')
    .select(['companies.path as company_path', 'companies.name as company_name', 'roles.scope as maker_scope'])
    .where('enrolment_codes.code_hash', '=', hashEnrolmentCode(code))
    .where(isPresentPath('companies.path'))
    .executeTakeFirst();
}

function isUsable(code: Code, now: number): boolean {
  return code.revoked_at === null && code.expires_at > now && code.used < code.uses;
}

/** Takes one use of the code, if there is one left; of many callers at the same time only as many as there are uses get one. */
async function takeUse(trx: Trx, codeId: number, now: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('enrolment_codes')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', codeId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new EnrolmentRefused({});
}

/**
 * Devices with this serial number in the company of the code and below it; in the company alone for a code of somebody who sees no more. Any other
 * namesake does not exist for the newcomer, nor the newcomer for it (docs/decisions/010-serial-numbers.md).
 */
async function findNamesakes(ctx: Context, trx: Trx, serial: string, code: Code): Promise<Row<'devices'>[]> {
  // Two that join at the same moment must see each other; SQLite has one writer anyway.
  if (ctx.database.tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(hashtext(${serial}))`.execute(trx);
  const known = trx.selectFrom('devices').selectAll('devices').where('devices.serial', '=', serial).orderBy('devices.id');
  if (code.maker_scope === 'company') return known.where('devices.company_id', '=', code.company_id).execute();
  return known
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .where('companies.path', '>=', code.company_path)
    .where('companies.path', '<', pathEnd(code.company_path))
    .execute();
}

function newDevice(
  ctx: Context,
  newcomer: Newcomer,
  code: Code,
  credential: Credential,
  quarantine: Row<'devices'>['quarantine'],
): NewRow<'devices'> {
  const now = ctx.clock.now();
  const name = `${code.name_prefix}${newcomer.name || newcomer.serial}`;
  const { serial, mac, imei, model, firmware, agent } = newcomer;
  return {
    company_id: code.company_id,
    device_key: credential.deviceKey,
    credential_hash: credential.hash,
    name,
    description: '',
    serial,
    mac,
    imei,
    model,
    firmware,
    agent,
    os: '',
    hostname: newcomer.name,
    is_simulated: newcomer.isSimulated ? 1 : 0,
    status: quarantine === null ? null : 2,
    quarantine,
    failed_auth_reason: quarantine === 'duplicate_serial' ? attemptCodes.duplicateSerial : null,
    report_seconds: ctx.config.reportSeconds,
    search_text: deviceSearchText({ name, serial, mac, imei, model }),
    enrolment_code_id: code.id,
    status_changed_at: now,
    created_at: now,
    updated_at: now,
  };
}

async function tagDevice(ctx: Context, trx: Trx, device: Row<'devices'>, code: Code): Promise<Row<'tags'>[]> {
  const wanted: unknown = JSON.parse(code.tag_ids);
  const ids = Array.isArray(wanted) ? wanted.filter((id): id is number => typeof id === 'number') : [];
  if (ids.length === 0) return [];
  // Tags may have been removed since the code was made.
  const tags = await trx.selectFrom('tags').selectAll().where('id', 'in', ids).execute();
  if (tags.length > 0)
    await trx
      .insertInto('device_tags')
      .values(tags.map((tag) => ({ device_id: device.id, tag_id: tag.id })))
      .execute();
  await queueTagActions(
    ctx,
    trx,
    tags.map((tag) => [device.id, tag.id]),
  );
  return tags;
}

/** `beside`: namesakes in the company of the newcomer. Those of companies below hear nothing: their people do not see the newcomer. */
async function noteDuplicate(ctx: Context, trx: Trx, device: Row<'devices'>, beside: Row<'devices'>[], ip: string): Promise<void> {
  const { duplicateSerial: code } = attemptCodes;
  const known = beside.find((other) => other.quarantine === null) ?? beside[0];
  const isDuplicate = device.quarantine === 'duplicate_serial';
  const event = { type: 'quarantined', level: 'warning', params: { status: false }, ip, ...(isDuplicate ? { code } : {}) } as const;
  const both = [device, ...(known ? [known] : [])];
  await addDeviceEvents(
    ctx,
    trx,
    both.map((one) => ({
      ...event,
      deviceId: one.id,
      companyId: one.company_id,
      serial: one.serial,
      message: one === device ? '' : `Another device with this serial number joined, with the MAC ${device.mac}. It waits in quarantine.`,
    })),
  );
}

async function addDevice(ctx: Context, trx: Trx, origin: Origin, newcomer: Newcomer, code: Code, credential: Credential): Promise<void> {
  const decision = await decisionAbout(trx, newcomer);
  if (decision === 'denied') throw new EnrolmentRefused({});
  const namesakes = await findNamesakes(ctx, trx, newcomer.serial, code);
  const awaited = await findAwaited(trx, namesakes, newcomer);
  if (awaited) return joinAwaited(ctx, trx, { origin, newcomer, credential, codeId: code.id, awaited });
  const beside = namesakes.filter((other) => other.company_id === code.company_id);
  // Only a device of the same company can be joined again (`acceptQuarantined`).
  const isSame = beside.some((other) => other.mac === newcomer.mac);
  const waits = ctx.config.needsApproval && decision !== 'approved' ? 'not_approved' : null;
  const quarantine = namesakes.length === 0 ? waits : isSame ? 'rejoin' : 'duplicate_serial';
  const device = await trx
    .insertInto('devices')
    .values(newDevice(ctx, newcomer, code, credential, quarantine))
    .returningAll()
    .executeTakeFirstOrThrow();
  const tags = await tagDevice(ctx, trx, device, code);
  if (quarantine !== null) await noteDuplicate(ctx, trx, device, beside, origin.ip);
  await writeAudit(trx, { actor: null, origin, at: device.created_at }, [
    {
      action: 'devices.join',
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: null,
      after: { ...deviceHistory(device), tag_id: tags.map((tag) => tag.id) },
    },
  ]);
  // Everybody who sees the device sees tags of its own company; those of companies above need a right of their own.
  const visible = tags.filter((tag) => tag.company_id === device.company_id).map(({ id, name, color }) => ({ id, name, color }));
  const { company_path: _path, ...payload } = presentDevice(device, { companyName: code.company_name, companyPath: [], tags: visible });
  afterCommit(trx, () => ctx.live.publishBelow(code.company_path, 'devices', 'DeviceAdded', payload));
}

interface Joining {
  origin: Origin;
  newcomer: Newcomer;
  credential: Credential;
  settle(error: unknown): void;
}

async function joinOne(ctx: Context, trx: Trx, { origin, newcomer, credential }: Joining): Promise<void> {
  const code = await findCode(trx, newcomer.code);
  if (!code) throw new EnrolmentRefused({});
  await takeUse(trx, code.id, ctx.clock.now());
  await addDevice(ctx, trx, origin, newcomer, code, credential);
}

/** All in one transaction: a disk makes one commit durable as slowly as fifty. A refusal writes nothing, so it harms no other. */
async function joinTogether(ctx: Context, batch: Joining[]): Promise<void> {
  const refused = new Map<Joining, unknown>();
  try {
    await inTransaction(ctx.db, async (trx) => {
      for (const joining of batch) {
        try {
          await joinOne(ctx, trx, joining);
        } catch (error) {
          if (!(error instanceof EnrolmentRefused)) throw error;
          refused.set(joining, error);
        }
      }
    });
  } catch (error) {
    const [only, ...others] = batch;
    if (!only || others.length > 0) {
      for (const joining of batch) await joinTogether(ctx, [joining]);
      return;
    }
    refused.set(only, error);
  }
  for (const joining of batch) joining.settle(refused.get(joining));
}

/** Lets devices join. Those that come at the same time are written together. */
export function createEnrolment(ctx: Context) {
  let waiting: Joining[] = [];
  let isWorking = false;
  // By company, and only with a right code: nobody else can use up the tries of a serial number.
  const triesBySerial = createLimiter({ max: 10, windowMs: 10 * MINUTE, now: () => ctx.clock.now() });

  async function work(): Promise<void> {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_TOGETHER);
      waiting = waiting.slice(MAX_TOGETHER);
      await joinTogether(ctx, batch);
      await nextTurn();
    }
    isWorking = false;
  }

  function write(origin: Origin, newcomer: Newcomer, credential: Credential): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ origin, newcomer, credential, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      if (!isWorking) void work();
    });
  }

  /**
   * Lets a device join with a code. Whatever is wrong with the code, the refusal is the same (ENROLMENT_REFUSED). A serial number that is known
   * in the company of the code or below it is taken in too, into quarantine, so that the answer says nothing; the running device is not disturbed.
   * Throws TOO_MANY_REQUESTS for a serial number that joined this company repeatedly.
   */
  return async function enrol(origin: Origin, newcomer: Newcomer): Promise<Credential> {
    const early = await findCode(ctx.reads, newcomer.code);
    if (!early || !isUsable(early, ctx.clock.now())) throw new EnrolmentRefused({});
    const key = `${early.company_id} ${newcomer.serial}`;
    if (!triesBySerial.take(key)) throw new TooManyRequests({ seconds: triesBySerial.waitSeconds(key) });
    const credential = makeCredential();
    // @NOTE Before the transaction: an external broker is a network away, and SQLite has one writer.
    await ctx.devices.admit(credential.deviceKey, credential.password);
    try {
      await write(origin, newcomer, credential);
    } catch (error) {
      await ctx.devices.expel(credential.deviceKey);
      throw error;
    }
    return credential;
  };
}
