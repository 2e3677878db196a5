import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { mailerOfServer } from '../../kernel/mail/mailer-for.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import {
  addConfiguration,
  editConfiguration,
  getConfiguration,
  listConfigurations,
  removeConfiguration,
  requireConfiguration,
} from './configurations.ts';
import { TESTS_PER_MINUTE, testMail } from './mail-test.ts';

const access = { permission: 'view_email_configurations' } as const;
const tag = 'mail';

/** How a server at this port is spoken to where nobody says it: 465 is TLS from the first byte. */
const securityOf = (port: number) => (port === 465 ? 'tls' : 'starttls');

/** Registers the mail servers of companies. */
export function registerConfigurations(app: App): void {
  listRoute(app, {
    path: '/email-configurations',
    access,
    summary: 'Mail servers of the companies that the caller sees.',
    tag,
    rules: listRulesOf('email-configurations', { isSearchable: true }),
    list: (ctx, actor, query) => listConfigurations(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/email-configurations/:id',
    access,
    summary: 'One mail server, without its password.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getConfiguration(ctx.reads, actor, params.id)),
  });
  // Programs of the public API know no company of a server and no encryption, and change what they name.
  formRoute(
    app,
    'mail/new-configuration',
    async ({ ctx, actor, origin, body }) => {
      const { company_id = actor.companyId, security = securityOf(body.port) } = body;
      const id = await addConfiguration(ctx, { actor, origin }, { ...body, company_id, security });
      return created(await getConfiguration(ctx.reads, actor, id));
    },
    { optional: ['company_id', 'security'] },
  );
  formRoute(
    app,
    'mail/edit-configuration',
    async ({ ctx, actor, origin, params, body }) => {
      await editConfiguration(ctx, { actor, origin }, params.id, body);
      return ok();
    },
    { optional: ['name', 'email', 'host', 'port', 'security'] },
  );
  formRoute(app, 'mail/remove-configuration', async ({ ctx, actor, origin, params }) => {
    await removeConfiguration(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(
    app,
    'mail/test-configuration',
    async ({ ctx, actor, origin, params, body, request }) => {
      const server = await requireConfiguration(ctx.reads, actor, params.id);
      const by = { mailer: mailerOfServer(ctx, server), server: { id: server.id, host: server.host }, companyId: server.company_id };
      return ok(await testMail(ctx, { actor, origin }, { ...by, email: body.email, language: languageOfCall(request.headers) }));
    },
    { ratePerMinute: TESTS_PER_MINUTE },
  );
}
