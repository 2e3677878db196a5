import { ok } from '../../kernel/answer.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { reportUsage } from './report.ts';

const access = { permission: 'view_credits' } as const;
const day = Type.Optional(Type.String({ format: 'date', maxLength: 10 }));
const query = Type.Object({ company_id: Type.Optional(Type.Integer({ minimum: 1 })), start_date: day, end_date: day });

/** Registers the usage report. */
export function registerCreditReports(app: App): void {
  route(app, {
    method: 'GET',
    path: '/credits/report/json',
    access,
    summary: 'What a company did with its credits in a period.',
    tag: 'credits',
    query,
    handler: async ({ ctx, actor, query: asked }) => ok(await reportUsage(ctx, actor, asked)),
  });
}
