import { ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { previewOf } from './template-rules.ts';
import { editTemplate, getTemplate, listTemplates, requireSort, resetTemplate } from './templates.ts';

const access = { permission: 'view_email_configurations' } as const;
const tag = 'mail';

/** Registers what mails say: the texts of companies, of those above them, and the standard ones. */
export function registerTemplates(app: App): void {
  listRoute(app, {
    path: '/email-templates',
    access,
    summary: 'What mails of a company say, in every language; of the own company unless others are asked for.',
    tag,
    rules: listRulesOf('email-templates'),
    list: (ctx, actor, query) => listTemplates(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/email-templates/:id',
    access,
    summary: 'What one mail of a company says in one language.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getTemplate(ctx.reads, actor, params.id)),
  });
  route(app, {
    method: 'POST',
    path: '/email-templates/:id/preview',
    access,
    summary: 'A preview of a mail with these words, with made-up values, and the variables that it may use.',
    tag,
    params: idParams,
    body: Type.Object(
      { subject: Type.String({ maxLength: 200 }), text: Type.String({ maxLength: 10_000 }) },
      { additionalProperties: false },
    ),
    handler: async ({ ctx, actor, params, body }) => {
      const { kind, language } = await requireSort(ctx.reads, actor, params.id);
      return ok(previewOf(kind, language, body, ctx.publicUrl()));
    },
  });
  formRoute(app, 'mail/edit-template', async ({ ctx, actor, origin, params, body }) => {
    await editTemplate(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'mail/reset-template', async ({ ctx, actor, origin, params }) => {
    await resetTemplate(ctx, { actor, origin }, params.id);
    return ok();
  });
}
