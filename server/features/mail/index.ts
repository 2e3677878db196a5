import type { Context } from '../../context.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { retryMails } from '../../kernel/mail/send-mail.ts';
import type { App } from '../../kernel/route.ts';
import { registerMailLogs } from './mail-logs.ts';
import { forgetKept, registerMailbox } from './mailbox.ts';
import { registerConfigurations } from './configuration-routes.ts';
import { registerMailTest } from './mail-test.ts';
import { registerTemplates } from './template-routes.ts';

const RETENTION_MS = 90 * DAY;
const ROWS_PER_CLEANING = 5000;

async function forgetMails(ctx: Context): Promise<void> {
  const end = ctx.clock.now() - RETENTION_MS;
  await ctx.db
    .deleteFrom('mail_log')
    .where('id', 'in', (eb) => eb.selectFrom('mail_log').select('id').where('at', '<', end).limit(ROWS_PER_CLEANING))
    .execute();
}

/** Registers what becomes of mails: their log, the mailbox of an installation without a mail server, trying again, and the test of the mail server. */
export function registerMail(app: App): void {
  const { ctx, fastify } = app;
  registerMailLogs(app);
  registerMailbox(app);
  registerMailTest(app);
  registerConfigurations(app);
  registerTemplates(app);
  const stops: (() => void)[] = [];
  fastify.addHook('onReady', async () => {
    stops.push(
      ctx.clock.every(MINUTE, () => retryMails(ctx)),
      ctx.clock.every(HOUR, async () => {
        await forgetKept(ctx);
        await forgetMails(ctx);
      }),
    );
  });
  fastify.addHook('onClose', async () => {
    for (const stop of stops) stop();
  });
}
