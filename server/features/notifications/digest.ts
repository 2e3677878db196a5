import type { FormData } from '../../../schemas/_generated/contract.ts';
import { notificationKinds, notificationText } from '../../../schemas/kit/resources/notification-kinds.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { findPersonActor } from '../../kernel/auth/find-actor.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { LANGUAGES, type Language } from '../../kernel/language.ts';
import { mailerFor } from '../../kernel/mail/mailer-for.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { contentOf, type NotificationRow } from './present.ts';

type Digest = Row<'notification_digests'>;

const MAX_LINES = 100;
const DEFAULTS = { hour: 8, timezone: 'UTC', language: 'en', sent_on: null } as const;

/** Day, hour and minute by the clock of a zone, as `2026-11-21 08:05`. Throws RangeError for a zone that does not exist. */
function clockIn(timezone: string, at: number): string {
  // Swedish writes times as the wire does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' }).format(at);
}

function isZone(timezone: string): boolean {
  try {
    return clockIn(timezone, 0) !== '';
  } catch {
    return false;
  }
}

/** When the actor gets the daily mail. */
export async function getDigest(ctx: Context, actor: Actor): Promise<Pick<Digest, 'hour' | 'timezone'> & { is_mail_available: boolean }> {
  const kept = await ctx.reads
    .selectFrom('notification_digests')
    .select(['hour', 'timezone'])
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  const mailer = await mailerFor(ctx, actor.companyId, { kind: 'digest' });
  return { hour: kept?.hour ?? DEFAULTS.hour, timezone: kept?.timezone ?? DEFAULTS.timezone, is_mail_available: mailer !== undefined };
}

/** Says when the actor gets the daily mail. Throws INVALID_FIELD at `timezone`. */
export async function saveDigest(ctx: Context, actor: Actor, input: FormData['notifications/digest'], language: Language): Promise<void> {
  if (!isZone(input.timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const settings = { hour: input.hour, timezone: input.timezone, language };
  await ctx.db
    .insertInto('notification_digests')
    .values({ user_id: actor.userId, ...settings, sent_on: null })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(settings))
    .execute();
}

/** `2026-11-21` → `2026-11-22`. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}

/**
 * Takes the user's mail of this day for this process; false when it is not due, or another process has it. One that is noted for tomorrow was
 * sent before the clock was set back; one noted for later was sent by a clock that was wrong: nobody waits for that day, and today has had a mail.
 */
async function claim(ctx: Context, digest: Digest): Promise<boolean> {
  const now = clockIn(digest.timezone, ctx.clock.now());
  const day = now.slice(0, 10);
  if (digest.sent_on !== null && digest.sent_on > dayAfter(day)) {
    await ctx.db.updateTable('notification_digests').set({ sent_on: day }).where('user_id', '=', digest.user_id).execute();
    return false;
  }
  if ((digest.sent_on !== null && digest.sent_on >= day) || Number(now.slice(11, 13)) < digest.hour) return false;
  await ctx.db
    .insertInto('notification_digests')
    .values({ ...digest, sent_on: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { numUpdatedRows } = await ctx.db
    .updateTable('notification_digests')
    .set({ sent_on: day })
    .where('user_id', '=', digest.user_id)
    .where('sent_on', 'is not distinct from', digest.sent_on)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function lineOf(row: NotificationRow, { timezone, language }: Pick<Digest, 'timezone'> & { language: Language }): string {
  const times = row.count > 1 && row.subject_name !== '' ? ` ×${row.count}` : '';
  return `${clockIn(timezone, row.updated_at)}  ${notificationText(contentOf(row), language)}${times}`;
}

async function sendDigest(ctx: Context, digest: Digest, rows: NotificationRow[]): Promise<boolean> {
  const actor = await findPersonActor(ctx, digest.user_id);
  if (!actor) return true;
  const visible = rows.filter((row) => can(actor, notificationKinds[contentOf(row).type].permission));
  if (visible.length === 0) return true;
  const language = LANGUAGES.find((one) => one === digest.language) ?? 'en';
  const lines = visible.slice(0, MAX_LINES).map((row) => lineOf(row, { timezone: digest.timezone, language }));
  const mail = await writeMail(ctx, actor.companyId, {
    to: actor.email,
    kind: 'digest',
    language,
    values: {
      count: String(visible.length),
      lines: visible.length > MAX_LINES ? [...lines, '…'].join('\n') : lines.join('\n'),
      url: `${ctx.publicUrl()}/notifications`,
      zone: digest.timezone,
    },
  });
  return (await sendMail(ctx, actor.companyId, mail)) !== 'failed';
}

async function readWaiting(ctx: Context, userId: number): Promise<NotificationRow[]> {
  const actor = await findPersonActor(ctx, userId);
  if (!actor) return [];
  return ctx.db
    .selectFrom('notifications')
    .innerJoin('companies', 'companies.id', 'notifications.company_id')
    .selectAll('notifications')
    .select('companies.name as company_name')
    .where('notifications.user_id', '=', userId)
    .where('notifications.by_mail', '=', 1)
    .where(isVisible(actor, 'notifications'))
    .orderBy('notifications.updated_at')
    .execute();
}

/** Sends the daily mail to everybody for whom it is time and something waits. One that the mail server could not take is tried again later. */
export async function sendDigests(ctx: Context): Promise<void> {
  const waiting = await ctx.reads
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .leftJoin('notification_digests as digest', 'digest.user_id', 'notifications.user_id')
    .select(['notifications.user_id', 'users.company_id', 'digest.hour', 'digest.timezone', 'digest.language', 'digest.sent_on'])
    .distinct()
    .where('by_mail', '=', 1)
    .execute();
  for (const { user_id, company_id, hour, timezone, language, sent_on } of waiting) {
    const digest =
      hour === null || timezone === null || language === null ? { user_id, ...DEFAULTS } : { user_id, hour, timezone, language, sent_on };
    if (!(await mailerFor(ctx, company_id, { kind: 'digest' })) || !(await claim(ctx, digest))) continue;
    const start = ctx.clock.now();
    const rows = await readWaiting(ctx, user_id);
    // A row of before the clock was set back is of later than now.
    const newest = Math.max(start, ...rows.map((row) => row.updated_at));
    if (await sendDigest(ctx, digest, rows)) {
      await ctx.db
        .updateTable('notifications')
        .set({ by_mail: 0 })
        .where('user_id', '=', user_id)
        .where('updated_at', '<=', newest)
        .execute();
    } else {
      ctx.log.warn({ user: user_id, day: wireTime(ctx.clock.now()) }, 'a daily mail waits for the mail server');
      await ctx.db.updateTable('notification_digests').set({ sent_on: digest.sent_on }).where('user_id', '=', user_id).execute();
    }
  }
}
