import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { ok, stream, type Answer } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { moment } from '../../kernel/moments.ts';
import { createPdfThread } from '../../kernel/pdf/pdf-thread.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { usageDocument } from './report-document.ts';
import { reportPool, reportUsage, type UsageReport } from './report.ts';

const access = { permission: 'view_credits' } as const;
const query = Type.Object({ company_id: Type.Optional(Type.Integer({ minimum: 1 })), start_date: moment, end_date: moment });
/** Each takes seconds of a processor. */
const REPORTS_PER_MINUTE = 20;

/** Registers the usage report, as JSON and as PDF. */
export function registerCreditReports(app: App): void {
  const thread = createPdfThread();
  app.fastify.addHook('onClose', () => thread[Symbol.asyncDispose]());

  async function answerPdf(ctx: Context, report: UsageReport, headers: IncomingHttpHeaders, signal: AbortSignal): Promise<Answer> {
    const now = ctx.clock.now();
    const file = await thread.draw(usageDocument(report, languageOfCall(headers), now), signal);
    return stream(file, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="credits-${new Date(now).toISOString().slice(0, 10)}.pdf"`,
    });
  }

  route(app, {
    method: 'GET',
    path: '/credits/report/json',
    access,
    summary: 'What a company did with its credits in a period.',
    tag: 'credits',
    query,
    cost: 'figures',
    handler: async ({ ctx, actor, query: asked }) => ok(await reportUsage(ctx, actor, asked)),
  });
  route(app, {
    method: 'GET',
    path: '/credits/report',
    access,
    summary: 'What a company did with its credits in a period, as PDF in the language of the call.',
    mediaType: 'application/pdf',
    tag: 'credits',
    query,
    ratePerMinute: REPORTS_PER_MINUTE,
    cost: 'processor',
    handler: async ({ ctx, actor, query: asked, request, signal }) =>
      answerPdf(ctx, await reportUsage(ctx, actor, asked), request.headers, signal),
  });
  formRoute(
    app,
    'credits/report',
    async ({ ctx, actor, body, request, signal }) => answerPdf(ctx, await reportUsage(ctx, actor, body), request.headers, signal),
    { ratePerMinute: REPORTS_PER_MINUTE, cost: 'processor', mediaType: 'application/pdf' },
  );
  route(app, {
    method: 'GET',
    path: '/credits/:id/report/json',
    access,
    summary: 'What became of one pool of credits.',
    tag: 'credits',
    params: idParams,
    cost: 'figures',
    handler: async ({ ctx, actor, params }) => ok(await reportPool(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/credits/:id/report',
    access,
    summary: 'What became of one pool of credits, as PDF in the language of the call.',
    mediaType: 'application/pdf',
    tag: 'credits',
    params: idParams,
    ratePerMinute: REPORTS_PER_MINUTE,
    cost: 'processor',
    handler: async ({ ctx, actor, params, request, signal }) =>
      answerPdf(ctx, await reportPool(ctx, actor, params.id), request.headers, signal),
  });
}
