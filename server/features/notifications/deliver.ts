import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Flag } from '../../db/column-types.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { groupNotices, type NoticeGroup } from './group-notices.ts';
import { presentNotification } from './present.ts';
import { findRecipients } from './recipients.ts';
import { isReason, isSettled, silentRouters } from '../../domain/places/site-routers.ts';

const NOTICES_PER_TURN = 200;
const ROWS_PER_INSERT = 200;

const flag = (value: boolean): Flag => (value ? 1 : 0);

/** Devices are named when the notification is made; what was said of a device that is gone since is dropped. */
async function withDeviceNames(trx: Trx, notices: Row<'notices'>[]): Promise<Row<'notices'>[]> {
  const isDevice = (notice: Row<'notices'>): boolean => notice.kind.startsWith('device');
  const ids = notices.filter(isDevice).flatMap((notice) => notice.subject_id ?? []);
  if (ids.length === 0) return notices;
  const devices = await trx
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const names = new Map(devices.map((device) => [device.id, device.name]));
  return notices.flatMap((notice) => {
    if (!isDevice(notice)) return notice;
    const name = names.get(notice.subject_id ?? 0);
    return name === undefined ? [] : { ...notice, subject_name: name };
  });
}

async function rowsFor(trx: Trx, group: NoticeGroup, company: Row<'companies'>, at: number): Promise<NewRow<'notifications'>[]> {
  const recipients = await findRecipients(trx, company, group.kind, group.userId);
  return recipients.map((recipient) => ({
    user_id: recipient.userId,
    company_id: group.companyId,
    kind: group.kind,
    group_key: group.key,
    subject_id: group.subjectId,
    subject_name: group.subjectName,
    details: group.details,
    count: group.count,
    in_console: flag(recipient.inConsole),
    by_mail: flag(recipient.byMail),
    created_at: at,
    updated_at: at,
    seen_at: null,
  }));
}

/** Writes a group's notifications, or counts them on top of those that nobody has seen, and pushes them after the commit. */
async function writeGroup(ctx: Context, trx: Trx, group: NoticeGroup, company: Row<'companies'>): Promise<void> {
  const rows = await rowsFor(trx, group, company, ctx.clock.now());
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const written = await trx
      .insertInto('notifications')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'group_key'])
          .where('seen_at', 'is', null)
          .doUpdateSet({
            count: sql`notifications.count + excluded.count`,
            details: sql`excluded.details`,
            subject_name: sql`excluded.subject_name`,
            in_console: sql`case when excluded.in_console = 1 then 1 else notifications.in_console end`,
            by_mail: sql`case when excluded.by_mail = 1 then 1 else notifications.by_mail end`,
            updated_at: sql`excluded.updated_at`,
          }),
      )
      .returningAll()
      .execute();
    afterCommit(trx, () => {
      for (const row of written.filter((one) => one.in_console === 1)) {
        const notification = presentNotification({ ...row, company_name: company.name });
        ctx.live.publish(`private-notifications.${row.user_id}`, 'WebNotificationCreated', notification);
      }
    });
  }
}

/** A device that goes or comes back waits until it is known what became of the router of its site. */
const isDue = (now: number) =>
  sql<boolean>`notices.cause_device_id is null and (notices.kind not in ('deviceOffline', 'deviceOnline')
    or ${isSettled(now, { device: 'notices.subject_id', since: 'notices.at' })})`;

/** Leaves out devices that went because the router of their site did, and those that came back after it: people hear of the router alone. */
async function withoutBehind(ctx: Context, trx: Trx, taken: readonly Row<'notices'>[]): Promise<Row<'notices'>[]> {
  const gone = taken.filter(({ kind }) => kind === 'deviceOffline');
  const routers = await silentRouters(ctx, trx, [...new Set(gone.map(({ subject_id }) => subject_id ?? 0))]);
  const routerOf = ({ subject_id }: Row<'notices'>): number | undefined => routers.get(subject_id ?? 0);
  const held = gone.filter((notice) => routerOf(notice) !== undefined);
  for (let start = 0; start < held.length; start += ROWS_PER_INSERT)
    await trx
      .insertInto('notices')
      .values(
        held
          .slice(start, start + ROWS_PER_INSERT)
          .map(({ id: _id, ...notice }) => ({ ...notice, cause_device_id: routerOf(notice as Row<'notices'>) ?? null })),
      )
      .execute();
  const explained = new Set(held);
  const others = taken.filter((notice) => !explained.has(notice));
  const heldBefore = new Set<Row<'notices'>>();
  for (const notice of others.filter(({ kind }) => kind === 'deviceOnline')) {
    const cancelled = await trx
      .deleteFrom('notices')
      .where('subject_id', '=', notice.subject_id)
      .where('cause_device_id', 'is not', null)
      .where('at', '<=', notice.at)
      .executeTakeFirst();
    if (cancelled.numDeletedRows > 0n) heldBefore.add(notice);
  }
  return others.filter((notice) => !heldBefore.has(notice));
}

/** Devices whose router is back and that are not are news now. */
export async function endNoticeCauses(ctx: Context): Promise<void> {
  const waits = await ctx.reads.selectFrom('notices').select('id').where('cause_device_id', 'is not', null).limit(1).executeTakeFirst();
  if (!waits) return;
  const isOver = sql<boolean>`notices.cause_device_id is not null and not exists (
    select 1 from devices where devices.id = notices.cause_device_id and ${isReason(ctx.clock.now(), 'devices')})`;
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .deleteFrom('notices')
      .where(isOver)
      .where((eb) => eb('subject_id', 'not in', eb.selectFrom('devices').select('devices.id').where('devices.status', '=', 0)))
      .execute();
    await trx.updateTable('notices').set({ cause_device_id: null }).where(isOver).execute();
  });
}

/** Makes notifications of some of what waits; false when nothing is left. A notice is taken off in the same transaction, so each is shown once. */
async function deliverSome(ctx: Context): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const taken = await trx
      .deleteFrom('notices')
      .where('id', 'in', (eb) => eb.selectFrom('notices').select('id').where(isDue(ctx.clock.now())).orderBy('id').limit(NOTICES_PER_TURN))
      .returningAll()
      .execute();
    const notices = await withDeviceNames(
      trx,
      await withoutBehind(
        ctx,
        trx,
        taken.toSorted((a, b) => a.id - b.id),
      ),
    );
    const groups = groupNotices(notices);
    const ids = [...new Set(groups.map((group) => group.companyId))];
    const companies = ids.length === 0 ? [] : await trx.selectFrom('companies').selectAll().where('id', 'in', ids).execute();
    for (const group of groups) {
      const company = companies.find((one) => one.id === group.companyId);
      if (company) await writeGroup(ctx, trx, group, company);
    }
    return taken.length === NOTICES_PER_TURN;
  });
}

/** Makes notifications of everything that waits. */
export async function deliverNotices(ctx: Context): Promise<void> {
  const waits = await ctx.reads.selectFrom('notices').select('id').where(isDue(ctx.clock.now())).limit(1).executeTakeFirst();
  if (waits) while (await deliverSome(ctx)) await nextTurn();
}
