import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { retryMails } from '../../kernel/mail/send-mail.ts';
import type { App } from '../../kernel/route.ts';
import { registerMailLogs } from './mail-logs.ts';
import { forgetKept, registerMailbox } from './mailbox.ts';
import { registerConfigurations } from './configuration-routes.ts';
import { registerMailTest } from './mail-test.ts';
import { registerTemplates } from './template-routes.ts';

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
      ctx.clock.every(HOUR, () => forgetKept(ctx)),
    );
  });
  fastify.addHook('onClose', async () => {
    for (const stop of stops) stop();
  });
}
