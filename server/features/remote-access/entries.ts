import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { RemoteProtocol } from '../../db/remote-tables.ts';
import { personOf, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { NotFound } from '../../kernel/errors.ts';
import { RdpMissing, RemoteRefused } from '../../domain/remote/errors.ts';
import { guardTarget, ITSELF } from '../../domain/remote/guard.ts';
import { credentialsPurpose } from '../../domain/remote/live-session.ts';
import { findRdpPrograms } from '../../domain/remote/rdp-programs.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import { sealText } from '../../kernel/seal.ts';
import { idsOnPath, isVisible } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { visibleEntries } from './read-entries.ts';

export type EntryRow = Row<'remote_entries'>;

/** What people say of an entry. */
export interface EntryInput {
  name: string;
  destination_ip: string;
  destination_port: number;
  protocol: RemoteProtocol;
  credentials_required?: boolean;
  is_main?: boolean;
  /** Of the device itself only; anything behind it is reached by its tunnel. */
  way?: EntryRow['way'];
  username?: string;
  password?: string;
  /** For RDP. */
  login_domain?: string;
  /** For RDP: a layout such as `no`. */
  keyboard?: string | null;
  /** For web pages: what is done with their sign-in form. */
  login_form?: EntryRow['login_form'];
  /** Forgets what is stored. */
  clears_credentials?: boolean;
  tag_id?: readonly number[];
}

/** The row of an entry with the company of its device. Throws NOT_FOUND. */
export async function requireEntry(db: Db, actor: Actor, id: number): Promise<EntryRow & { company_id: number }> {
  const row = await visibleEntries(db, actor)
    .selectAll('remote_entries')
    .select('devices.company_id')
    .where('remote_entries.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** By the VPN only the device itself is reached. */
const wayOf = (host: string, way: EntryRow['way']): EntryRow['way'] => (host === ITSELF ? way : 'auto');

function targetOf(ctx: Context, { destination_ip: host, destination_port: port }: EntryInput, at: string): { host: string; port: number } {
  try {
    return guardTarget(ctx.config.remote, { host, port });
  } catch (error) {
    if (error instanceof RemoteError) throw new RemoteRefused({ address: host.slice(0, 60) }, { source: `${at}destination_ip` });
    throw error;
  }
}

/** What the history keeps of an entry: everything but secrets. */
function recordOf({ sealed_credentials, ...row }: EntryRow & { company_id?: number }): Record<string, string | number | null> {
  const { company_id: _company, ...rest } = row;
  return { ...rest, has_credentials: sealed_credentials === null ? 0 : 1 };
}

export async function recordEntry(
  trx: Trx,
  { actor, origin }: Caller,
  line: { verb: string; at: number; companyId: number; before: EntryRow | null; after: EntryRow | null },
): Promise<void> {
  const row = line.after ?? line.before;
  if (!row) return;
  await writeAudit(trx, { actor, origin, at: line.at }, [
    {
      action: `remote-access.${line.verb}`,
      entity: 'remote_entry',
      entityId: row.id,
      entityName: row.name,
      companyId: line.companyId,
      before: line.before && recordOf(line.before),
      after: line.after && recordOf(line.after),
    },
  ]);
}

/**
 * Puts tags on an entry in place of those that the actor sees. Throws NOT_FOUND at `source` for tags that the actor does not see, or that are neither of the
 * device's company nor of one above it.
 */
async function putTags(
  trx: Trx,
  actor: Actor,
  { entryId, companyId, tagIds, source }: { entryId: number; companyId: number; tagIds: readonly number[]; source: string },
): Promise<void> {
  const { path } = await trx.selectFrom('companies').select('path').where('id', '=', companyId).executeTakeFirstOrThrow();
  const seen = await trx
    .selectFrom('tags')
    .select('tags.id')
    .where('tags.id', 'in', tagIds)
    .where('tags.company_id', 'in', idsOnPath(path))
    .where(isVisible(actor, 'tags'))
    .execute();
  if (seen.length < new Set(tagIds).size) throw new NotFound({}, { source });
  await trx
    .deleteFrom('remote_entry_tags')
    .where('entry_id', '=', entryId)
    .where('tag_id', 'in', (tags) => tags.selectFrom('tags').select('tags.id').where(isVisible(actor, 'tags')))
    .execute();
  for (const { id } of seen) await trx.insertInto('remote_entry_tags').values({ entry_id: entryId, tag_id: id }).execute();
}

/** Refuses entries that this server cannot open. Throws RDP_PROGRAMS_MISSING. */
export function assertOpenable(protocol: RemoteProtocol): void {
  if (protocol === 'rdp' && !findRdpPrograms()) throw new RdpMissing({}, { source: 'protocol' });
}

/** Adds entries to devices, all or none; answers their ids. Throws NOT_FOUND, NAME_TAKEN, REMOTE_ADDRESS_REFUSED. */
export async function addEntries(
  ctx: Context,
  caller: Caller,
  inputs: readonly (EntryInput & { device_id: number })[],
  at: (index: number) => string = (index) => `data.${index}.`,
): Promise<number[]> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const ids: number[] = [];
    for (const [index, input] of inputs.entries()) {
      const device = await requireDevice(trx, caller.actor, input.device_id).catch(() => {
        throw new NotFound({}, { source: `${at(index)}device_id` });
      });
      const target = targetOf(ctx, input, at(index));
      const values = {
        device_id: device.id,
        name: input.name,
        protocol: input.protocol,
        ...target,
        way: wayOf(target.host, input.way ?? 'auto'),
        is_main: input.is_main ? (1 as const) : (0 as const),
        credentials_required: input.credentials_required ? (1 as const) : (0 as const),
        sealed_credentials: null,
        login_domain: input.login_domain ?? '',
        keyboard: input.keyboard ?? '',
        login_form: input.login_form ?? 'fill',
        blocked_at: null,
        check_state: null,
        checked_at: null,
        created_at: now,
        updated_at: now,
      };
      const row = await withUniqueName({ name: input.name, source: `${at(index)}name` }, () =>
        trx.insertInto('remote_entries').values(values).returningAll().executeTakeFirstOrThrow(),
      );
      const after = await sealInto(ctx, trx, row, input);
      if (input.tag_id)
        await putTags(trx, caller.actor, {
          entryId: row.id,
          companyId: device.company_id,
          tagIds: input.tag_id,
          source: `${at(index)}tag_id`,
        });
      await recordEntry(trx, caller, { verb: 'new', at: now, companyId: device.company_id, before: null, after });
      ids.push(row.id);
    }
    return ids;
  });
}

async function sealInto(ctx: Context, trx: Trx, row: EntryRow, input: EntryInput): Promise<EntryRow> {
  const { username, password } = input;
  if (!username && !password && !input.clears_credentials) return row;
  const given = { ...(username ? { username } : {}), ...(password ? { password } : {}) };
  const sealed = Object.keys(given).length === 0 ? null : sealText(ctx.secretKey, credentialsPurpose(row.id), JSON.stringify(given));
  return trx
    .updateTable('remote_entries')
    .set({ sealed_credentials: sealed })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Destination = Pick<EntryRow, 'host' | 'port' | 'protocol'>;
const isOfSsh = ({ protocol }: Destination): boolean => protocol === 'ssh' || protocol === 'sftp';

/** Whether what is stored for one place would be sent to another, where the person who changed the entry could read it. */
function leadsElsewhere(before: Destination, after: Destination): boolean {
  const isSameWay = before.protocol === after.protocol || (isOfSsh(before) && isOfSsh(after));
  return !isSameWay || before.host !== after.host || before.port !== after.port;
}

/**
 * Changes an entry; sessions through it end when its address does, and stored credentials go unless they are given again. Throws NOT_FOUND,
 * NAME_TAKEN, REMOTE_ADDRESS_REFUSED.
 */
export async function editEntry(ctx: Context, caller: Caller, id: number, input: Partial<EntryInput>): Promise<void> {
  const at = ctx.clock.now();
  await withUniqueName({ name: input.name ?? '', source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const before = await requireEntry(trx, caller.actor, id);
      const { company_id: companyId, ...row } = before;
      const whole: EntryInput = {
        name: input.name ?? row.name,
        destination_ip: input.destination_ip ?? row.host,
        destination_port: input.destination_port ?? row.port,
        protocol: input.protocol ?? row.protocol,
        ...input,
      };
      const target = targetOf(ctx, whole, '');
      const isElsewhere = leadsElsewhere(row, { ...target, protocol: whole.protocol });
      const changed = await trx
        .updateTable('remote_entries')
        .set({
          name: whole.name,
          protocol: whole.protocol,
          ...target,
          way: wayOf(target.host, whole.way ?? row.way),
          ...(isElsewhere ? { sealed_credentials: null } : {}),
          ...(whole.login_domain === undefined ? {} : { login_domain: whole.login_domain }),
          ...(whole.keyboard === undefined ? {} : { keyboard: whole.keyboard ?? '' }),
          ...(whole.login_form === undefined ? {} : { login_form: whole.login_form }),
          ...(whole.credentials_required === undefined ? {} : { credentials_required: whole.credentials_required ? 1 : 0 }),
          updated_at: at,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const after = await sealInto(ctx, trx, changed, whole);
      if (whole.tag_id) await putTags(trx, caller.actor, { entryId: id, companyId, tagIds: whole.tag_id, source: 'tag_id' });
      await recordEntry(trx, caller, { verb: 'edit', at, companyId, before: row, after });
    }),
  );
}

/** Removes entries, all or none; sessions through them end. Throws NOT_FOUND. */
export async function removeEntries(ctx: Context, caller: Caller, ids: readonly number[]): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const id of new Set(ids)) {
      const { company_id: companyId, ...row } = await requireEntry(trx, caller.actor, id);
      await trx.deleteFrom('remote_entries').where('id', '=', id).execute();
      await recordEntry(trx, caller, { verb: 'remove', at, companyId, before: row, after: null });
    }
  });
}

/** Blocks an entry, so that nobody connects and open sessions end, or lets people in again. Throws NOT_FOUND. */
export async function setBlocked(ctx: Context, caller: Caller, id: number, isBlocked: boolean): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_id: companyId, ...before } = await requireEntry(trx, caller.actor, id);
    if ((before.blocked_at !== null) === isBlocked) return;
    const after = await trx
      .updateTable('remote_entries')
      .set({ blocked_at: isBlocked ? at : null, updated_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEntry(trx, caller, { verb: isBlocked ? 'block' : 'unblock', at, companyId, before, after });
  });
}

/** Puts an entry among the actor's favourites, or takes it from there. Throws NOT_FOUND. */
export async function setFavourite(ctx: Context, actor: Actor, id: number, isFavourite: boolean): Promise<void> {
  await requireEntry(ctx.db, actor, id);
  const row = { user_id: personOf(actor), entry_id: id };
  await ctx.db.deleteFrom('remote_favourites').where('user_id', '=', row.user_id).where('entry_id', '=', id).execute();
  if (isFavourite) await ctx.db.insertInto('remote_favourites').values(row).execute();
}
