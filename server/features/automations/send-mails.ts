import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { MINUTE, wireTime } from '../../kernel/clock.ts';
import { sendMail } from '../../kernel/mail/send-mail.ts';
import { writeMail } from '../../kernel/mail/write-mail.ts';
import { actorOfPlan } from '../../domain/plans/plan-devices.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { branchAt } from './branches.ts';
import { conditionSentence } from '../../../schemas/kit/resources/rule-sentence.ts';
import { collectedLabels, fillMessage, seenConditions } from './fill-message.ts';
import { ruleOf } from './stored-rule.ts';
import type { Action } from './types.ts';

/** Mails of one automation go out at most so often; what fires in between goes into the next one. */
const PAUSE_MS = 1 * MINUTE;
const AUTOMATIONS_AT_ONCE = 50;
const DEVICES_IN_A_MAIL = 200;

type Automation = Row<'automations'>;

async function devicesOf(ctx: Context, automation: Automation, ids: readonly number[]) {
  const actor = await actorOfPlan(ctx, automation);
  if (!actor) return new Map<number, never>();
  const rows = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.name as company_name')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function sendFor(ctx: Context, automation: Automation & { company_name: string }): Promise<void> {
  const logs = await ctx.db
    .updateTable('automation_logs')
    .set({ mails: 'sent' })
    .where('automation_id', '=', automation.id)
    .where('mails', '=', 'pending')
    .where('status', 'in', ['done', 'failed'])
    .returningAll()
    .execute();
  const devices = await devicesOf(
    ctx,
    automation,
    logs.map(({ device_id }) => device_id),
  );
  const rule = ruleOf(automation);
  const owner = await actorOfPlan(ctx, automation);
  const labels = owner ? await collectedLabels(ctx.reads, owner, logs) : new Map<string, string>();
  for (const [branch, own] of Map.groupBy(logs, (log) => log.branch)) {
    const seen = own.toSorted((a, b) => a.id - b.id).filter(({ device_id }) => devices.has(device_id));
    const [first] = seen;
    const device = first && devices.get(first.device_id);
    if (!first || !device) continue;
    const actions: Action[] = branchAt(rule.branches, branch)?.actions ?? (JSON.parse(first.actions) as Action[]);
    for (const { name, options = {} } of actions) {
      if (name !== 'SendEmail') continue;
      const { mail_language: language = 'en' } = options;
      const sentenceOf = ({ evaluated }: { evaluated: string }): string => conditionSentence(seenConditions(evaluated, labels), language);
      const lines = seen
        .slice(0, DEVICES_IN_A_MAIL)
        .map((log) => `${wireTime(log.at)}  ${devices.get(log.device_id)?.name ?? ''}  ${sentenceOf(log)}`);
      if (seen.length > DEVICES_IN_A_MAIL) lines.push(`… +${seen.length - DEVICES_IN_A_MAIL}`);
      const filled = (text: string): string =>
        fillMessage(text, { automation, device, log: first }).replaceAll('%ex', () => sentenceOf(first));
      const count = seen.length > 1 ? ` (${seen.length})` : '';
      for (const to of options.receiving_emails ?? []) {
        const values = {
          subject: `${filled(options.subject ?? automation.name)}${count}`,
          message: filled(options.message ?? '%ex'),
          lines: lines.join('\n'),
          name: automation.name,
          company: automation.company_name,
          url: `${ctx.publicUrl()}/management/automations/${automation.id}/logs`,
        };
        await sendMail(
          ctx,
          automation.company_id,
          await writeMail(ctx, automation.company_id, { to, kind: 'automation', language, values }),
          options.smtp_config_id,
        );
      }
    }
  }
}

/** Sends the mails of automations: one for all devices that an automation fired on since the last one. */
export async function sendMails(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = await ctx.db
    .selectFrom('automations')
    .innerJoin('companies', 'companies.id', 'automations.company_id')
    .selectAll('automations')
    .select('companies.name as company_name')
    .where((eb) => eb.or([eb('last_mail_at', 'is', null), eb('last_mail_at', '<', now - PAUSE_MS)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('automation_logs')
          .select('automation_logs.id')
          .whereRef('automation_logs.automation_id', '=', 'automations.id')
          .where('automation_logs.mails', '=', 'pending')
          .where('automation_logs.status', 'in', ['done', 'failed']),
      ),
    )
    .limit(AUTOMATIONS_AT_ONCE)
    .execute();
  for (const automation of due) {
    const { numUpdatedRows } = await ctx.db
      .updateTable('automations')
      .set({ last_mail_at: now })
      .where('id', '=', automation.id)
      .where((eb) => eb.or([eb('last_mail_at', 'is', null), eb('last_mail_at', '=', automation.last_mail_at)]))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await sendFor(ctx, automation);
  }
}
