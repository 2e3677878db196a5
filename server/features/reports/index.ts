import { created, ok, stream } from '../../kernel/answer.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { createPdfThread, type PdfThread } from '../../kernel/pdf/pdf-thread.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { readContent } from './content.ts';
import { reportDocument } from './document.ts';
import { documentContent, keepingRest, readTemplate } from './documented.ts';
import { exportReport } from './export.ts';
import { generate, generateDue } from './generate.ts';
import { editGenerated, findOrigin, listGenerated, removeGenerated } from './generated.ts';
import { mailReports } from './mail-reports.ts';
import { reportKind } from './job-kind.ts';
import { addTemplate, editTemplate, getTemplate, listTemplates, removeTemplate, type TemplateBody } from './templates.ts';

const access = { permission: 'view_reports' } as const;
const tag = 'reports';
/** Each takes seconds of a processor. */
const PDFS_PER_MINUTE = 20;

/** Looks for due reports now and then, and mails those that are made, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App, thread: PdfThread): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(MINUTE, () => (running = generateDue(ctx).then(() => mailReports(ctx, thread))));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

function registerTemplates(app: App): void {
  listRoute(app, {
    path: '/reports',
    access,
    summary: 'Templates of reports.',
    tag,
    rules: listRulesOf('reports', { sorts: ['id'] }),
    list: (ctx, actor, query) => listTemplates(ctx, actor, query),
    documented: {
      fields: [],
      types: { is_active: { type: 'integer', enum: [0, 1] } },
      extend: async (_ctx, _actor, rows) => rows.map((row) => ({ ...row, is_active: row.is_active ? 1 : 0 })),
    },
  });
  listRoute(app, {
    path: '/reports/single',
    access,
    summary: 'Templates of reports that are made by hand.',
    tag,
    rules: listRulesOf('single-reports', { sorts: ['id'] }),
    list: (ctx, actor, query) => listTemplates(ctx, actor, query, { type: 'single' }),
  });
  for (const [resource, period] of [
    ['daily-reports', 'day'],
    ['weekly-reports', 'week'],
    ['monthly-reports', 'month'],
  ] as const)
    listRoute(app, {
      path: `/reports/periodic/${period}`,
      access,
      summary: `Templates of reports that are made each ${period}.`,
      tag,
      rules: listRulesOf(resource, { sorts: ['id'] }),
      list: (ctx, actor, query) => listTemplates(ctx, actor, query, { type: 'periodic', period }),
    });
  route(app, {
    method: 'GET',
    path: '/reports/:id',
    access,
    summary: 'One template of reports.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getTemplate(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'reports/new',
    async ({ ctx, actor, origin, body }) => {
      const id = await addTemplate(ctx, { actor, origin }, body);
      return created({ id }, { id });
    },
    { programs: { status: 200, translate: readTemplate } },
  );
  formRoute(
    app,
    'reports/edit',
    async ({ ctx, actor, origin, params, body }) => {
      const { type, period, parameters, applied_by } = body;
      const isWhole = [type, period, parameters, applied_by].every((member) => member !== undefined) && !isProgram(actor);
      const before = isWhole ? undefined : await getTemplate(ctx, actor, params.id);
      await editTemplate(ctx, { actor, origin }, params.id, before ? keepingRest(before, body) : (body as TemplateBody));
      return ok(await getTemplate(ctx, actor, params.id));
    },
    { optional: ['type', 'period', 'parameters', 'applied_by'], programs: { translate: readTemplate } },
  );
  formRoute(app, 'reports/remove', async ({ ctx, actor, origin, params }) => {
    await removeTemplate(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(app, 'reports/generate', async ({ ctx, actor, origin, params }) => {
    const { channel, jobId, count } = await generate(ctx, { actor, origin }, params.id);
    return ok(undefined, { channel, job_id: jobId, count });
  });
}

function registerGenerated(app: App, thread: PdfThread): void {
  listRoute(app, {
    path: '/reports/generated',
    access,
    summary: 'Reports that were made.',
    tag,
    rules: listRulesOf('generated-reports', { sorts: ['id'] }),
    list: (ctx, actor, query) => listGenerated(ctx, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/reports/generated/:id',
    access,
    summary: 'A report with what it says of all devices together, of each device (the first 1,000) and of each day.',
    tag,
    params: idParams,
    cost: 'figures',
    async handler({ ctx, actor, params }) {
      const report = await readContent(ctx, actor, params.id);
      const { max_router_uptime: router, max_connection_uptime: connection } = report.all;
      const documented = documentContent(report, { ...(await findOrigin(ctx, actor, params.id)), roundsAverages: isProgram(actor) });
      return ok(documented, { max_router_uptime: router?.mac ?? null, max_connection_uptime: connection?.mac ?? null });
    },
  });
  route(app, {
    method: 'GET',
    path: '/reports/generated/:id/pdf',
    access,
    summary: 'A report as PDF in the language of the call.',
    mediaType: 'application/pdf',
    tag,
    params: idParams,
    ratePerMinute: PDFS_PER_MINUTE,
    cost: 'processor',
    async handler({ ctx, actor, params, request, signal }) {
      const report = await readContent(ctx, actor, params.id);
      const file = await thread.draw(reportDocument(report, languageOfCall(request.headers), ctx.clock.now()), signal);
      return stream(file, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="report-${report.start_date}.pdf"`,
      });
    },
  });
  route(app, {
    method: 'GET',
    path: '/reports/generated/:id/file',
    access,
    summary: 'All devices of a report as a file: CSV, JSON or a spreadsheet.',
    mediaType: 'text/csv',
    tag,
    params: idParams,
    query: Type.Object({
      format: Type.Optional(Type.String({ maxLength: 8 })),
      timezone: Type.Optional(Type.String({ maxLength: 64 })),
      bom: Type.Optional(Type.String({ maxLength: 1 })),
    }),
    cost: 'file',
    handler: ({ ctx, actor, params, query }) => exportReport(ctx, actor, params.id, query),
  });
  formRoute(app, 'reports/edit-generated', async ({ ctx, actor, origin, params, body }) => {
    await editGenerated(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'reports/remove-generated', async ({ ctx, actor, origin, params }) => {
    await removeGenerated(ctx, { actor, origin }, params.id);
    return ok();
  });
}

/** Registers the room of reports: their templates, and what was made of them. */
export function registerReports(app: App): void {
  app.ctx.jobs.register(reportKind);
  const thread = createPdfThread();
  runInBackground(app, thread);
  app.fastify.addHook('onClose', () => thread[Symbol.asyncDispose]());
  registerTemplates(app);
  registerGenerated(app, thread);
}
