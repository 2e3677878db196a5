import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can } from '../../kernel/actor.ts';
import { findPersonActor } from '../../kernel/auth/find-actor.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { LANGUAGES, type Language } from '../../kernel/language.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** A mail waits until nothing came for a while, so that an outage is one mail … */
const QUIET_MS = 30 * SECOND;
/** … but no longer than this. */
const MOST_WAIT_MS = 3 * MINUTE;
/** The next one comes this much later at the earliest. */
const PAUSE_MS = 5 * MINUTE;
const MOST_NAMED = 5;
const MOST_LINES = 100;

type Queued = Row<'alert_mails'>;

export interface QueuedAlert {
  companyId: number;
  name: string;
  severity: Queued['severity'];
  /** Its device, by name; empty for several. */
  device: string;
  count?: number;
}

/** Adds alerts to the next mail of somebody: what is alike is counted, with the names of some devices. */
export async function queueAlerts(
  trx: Trx,
  { userId, reason, at }: { userId: number; reason: Queued['reason']; at: number },
  alerts: readonly QueuedAlert[],
): Promise<void> {
  for (const own of Map.groupBy(alerts, ({ companyId, name, severity }) => `${companyId} ${severity} ${name}`).values()) {
    const [first] = own;
    if (!first) continue;
    const key = { user_id: userId, company_id: first.companyId, name: first.name, severity: first.severity, reason };
    const former = await trx
      .selectFrom('alert_mails')
      .selectAll()
      .where((eb) => eb.and(key))
      .executeTakeFirst();
    const named = [...(former ? (JSON.parse(former.devices) as string[]) : []), ...own.map(({ device }) => device).filter(Boolean)];
    const devices = JSON.stringify(named.slice(0, MOST_NAMED));
    const count = own.reduce((sum, one) => sum + (one.count ?? 1), former?.count ?? 0);
    await trx
      .insertInto('alert_mails')
      .values({ ...key, count, devices, first_at: at, last_at: at })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'company_id', 'name', 'severity', 'reason']).doUpdateSet({ count, devices, last_at: at }),
      )
      .execute();
  }
}

const WORDS: Record<Language, Record<Queued['reason'] | Queued['severity'], string>> = {
  en: {
    ...{ rule: '', reminder: 'still open', 'on-call': 'you are on call', next: 'nobody has answered', everybody: 'nobody has answered' },
    ...{ critical: 'Critical', warning: 'Warning', info: 'Info' },
  },
  nb: {
    ...{ rule: '', reminder: 'fortsatt åpen', 'on-call': 'du har vakt', next: 'ingen har svart', everybody: 'ingen har svart' },
    ...{ critical: 'Kritisk', warning: 'Advarsel', info: 'Info' },
  },
  ja: {
    ...{ rule: '', reminder: '未解決', 'on-call': 'あなたが当番です', next: '未対応', everybody: '未対応' },
    ...{ critical: '重大', warning: '警告', info: '情報' },
  },
  uk: {
    ...{ rule: '', reminder: 'досі відкрита', 'on-call': 'ви чергуєте', next: 'ніхто не відповів', everybody: 'ніхто не відповів' },
    ...{ critical: 'Критично', warning: 'Попередження', info: 'Інформація' },
  },
};
const ORDER = ['critical', 'warning', 'info'];

function lineOf(row: Queued, company: string, language: Language): string {
  const words = WORDS[language];
  const devices = JSON.parse(row.devices) as string[];
  const names = devices.length === 0 ? '' : `: ${devices.join(', ')}${row.count > devices.length ? ', …' : ''}`;
  const why = words[row.reason] === '' ? '' : ` (${words[row.reason]})`;
  return `${words[row.severity]} · ${row.name} · ${company} · ${row.count}${names}${why}`;
}

/** Takes everything that waits for somebody, for this process; undefined when it is not time yet, or another process has it. */
async function claim(ctx: Context, userId: number): Promise<Queued[] | undefined> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('alert_mail_times')
      .values({ user_id: userId, sent_at: now })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ sent_at: now })
          .where('alert_mail_times.sent_at', '<=', now - PAUSE_MS),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return undefined;
    return trx.deleteFrom('alert_mails').where('user_id', '=', userId).returningAll().execute();
  });
}

async function sendTo(ctx: Context, userId: number): Promise<void> {
  const rows = await claim(ctx, userId);
  const actor = rows && (await findPersonActor(ctx, userId));
  if (!rows || !actor || !can(actor, 'view_device_alerts')) return;
  const companies = await ctx.reads
    .selectFrom('companies')
    .select(['companies.id', 'companies.name'])
    .where('companies.id', 'in', [...new Set(rows.map(({ company_id }) => company_id))])
    .where(isVisible(actor, 'companies'))
    .execute();
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  const seen = rows
    .filter(({ company_id }) => names.has(company_id))
    .toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) || b.count - a.count);
  if (seen.length === 0) return;
  const kept = await ctx.reads.selectFrom('notification_digests').select('language').where('user_id', '=', userId).executeTakeFirst();
  const language = LANGUAGES.find((one) => one === kept?.language) ?? 'en';
  const lines = seen.slice(0, MOST_LINES).map((row) => lineOf(row, names.get(row.company_id) ?? '', language));
  const values = {
    count: String(seen.reduce((sum, { count }) => sum + count, 0)),
    lines: [...lines, ...(seen.length > MOST_LINES ? ['…'] : [])].join('\n'),
    url: `${ctx.publicUrl()}/management/alerts?state=open`,
  };
  await sendMail(ctx, actor.companyId, await writeMail(ctx, actor.companyId, { to: actor.email, kind: 'alerts', language, values }));
}

/** Sends each person one mail of all alerts that wait for them. A mail server that cannot take it is asked again by the queue of mails. */
export async function sendAlertMails(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.reads
    .selectFrom('alert_mails')
    .leftJoin('alert_mail_times', 'alert_mail_times.user_id', 'alert_mails.user_id')
    .select('alert_mails.user_id')
    .groupBy(['alert_mails.user_id', 'alert_mail_times.sent_at'])
    .having(
      sql<boolean>`coalesce(alert_mail_times.sent_at, 0) <= ${now - PAUSE_MS} and (max(alert_mails.last_at) <= ${now - QUIET_MS} or min(alert_mails.first_at) <= ${now - MOST_WAIT_MS})`,
    )
    .execute();
  for (const { user_id: userId } of due) await sendTo(ctx, userId);
}
