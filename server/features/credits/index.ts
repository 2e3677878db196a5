import { can } from '../../kernel/actor.ts';
import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import type { ListRules } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { listCodes, listCredits, sumCredits } from './repo.ts';
import { activateCode, addCredits, buyData, createCode, moveCredits } from './service.ts';
import { creditTypes } from './types.ts';

const tag = 'credits';
/** A code has 160 bits; guessing is hopeless, and slow as well. */
const ACTIVATIONS_PER_MINUTE = 10;

const typeRules: ListRules = {
  sorts: new Set(['id']),
  filters: new Map(),
  fields: new Map(['id', 'name', 'title', 'payment_type', 'license_type'].map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
};

function registerReads(app: App): void {
  listRoute(app, {
    path: '/credits',
    access: { permission: 'view_credits' },
    summary: 'What companies have of each type of credit.',
    tag,
    rules: listRulesOf('credits'),
    list: (ctx, actor, query) => listCredits(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/credits/codes',
    access: { permission: 'view_credit_transfer_codes' },
    summary: 'Codes that carry credits.',
    tag,
    rules: listRulesOf('credit-codes'),
    list: (ctx, actor, query) => listCodes(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/credits/types',
    access: { permission: 'view_credits' },
    summary: 'The types of credit; free ones are for system administrators.',
    tag,
    rules: typeRules,
    async list(_ctx, actor, query) {
      const text = query.q?.toLowerCase() ?? '';
      const found = creditTypes.filter(
        (type) =>
          (type.payment_type === 'paid' || can(actor, 'super_admin')) &&
          type.title.toLowerCase().includes(text) &&
          (query.ids === undefined || query.ids.includes(type.id)),
      );
      const sorted = query.sort[0]?.isDescending ? found.toReversed() : found;
      return { rows: sorted.slice(query.offset, query.offset + query.limit), total: found.length };
    },
  });
  route(app, {
    method: 'GET',
    path: '/credits/summary',
    access: { permission: 'view_credits' },
    summary: 'What is left of each type in all companies that the caller sees.',
    tag,
    handler: async ({ ctx, actor }) => ok({ credits: { left: await sumCredits(ctx.reads, actor) } }),
  });
}

/** Registers the room of credits, which the screen calls resources. */
export function registerCredits(app: App): void {
  registerReads(app);
  formRoute(app, 'credits/add', async ({ ctx, actor, origin, body }) => {
    await addCredits(ctx, { actor, origin }, body);
    return created();
  });
  formRoute(app, 'credits/move', async ({ ctx, actor, origin, body }) => {
    await moveCredits(ctx, { actor, origin }, body);
    return ok();
  });
  formRoute(app, 'credits/new-code', async ({ ctx, actor, origin, body }) => {
    const code = await createCode(ctx, { actor, origin }, body);
    return created({ code }, { credit_code: code });
  });
  formRoute(
    app,
    'credits/activate-code',
    async ({ ctx, actor, origin, body }) => ok(await activateCode(ctx, { actor, origin }, body.code)),
    {
      ratePerMinute: ACTIVATIONS_PER_MINUTE,
    },
  );
  formRoute(app, 'companies/data', async ({ ctx, actor, origin, body }) => {
    await buyData(ctx, { actor, origin }, body);
    return ok();
  });
}
