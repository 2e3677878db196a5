import { ok } from '../../kernel/answer.ts';
import { can } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { exportAnswer, readExportOptions } from '../../kernel/export-answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { readListQuery, visibleFields, type FilterRule, type ListRules } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { listDataPurchases } from './data-history.ts';
import { creditHistoryFile, listCreditHistory } from './history.ts';
import { listHoldings } from './holdings.ts';
import { listMoves, moveRules } from './move-history.ts';
import { findCode, listCodes, listCredits } from './repo.ts';
import { summarizeCredits } from './summary.ts';
import { creditTypes, presentCreditType } from './types.ts';
import { Type } from '../../kernel/type.ts';
import type { Context } from '../../context.ts';
import { sql } from 'kysely';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

const tag = 'credits';
const access = { permission: 'view_credits' } as const;

const typeRules: ListRules = {
  sorts: new Set(['id']),
  filters: new Map(),
  fields: new Map(['id', 'name', 'title', 'text_key', 'payment_type', 'license_type'].map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: false },
  isSearchable: true,
};

const integer: FilterRule = { kind: 'integer', isNegatable: false };
const historyRules = listRulesOf('credit-history', {
  sorts: ['id'],
  filters: { device_id: integer, pool_id: integer },
  isSearchable: true,
});

function registerTypes(app: App): void {
  listRoute(app, {
    path: '/credits/types',
    access,
    summary: 'The types of credit; free ones are for system administrators.',
    tag,
    rules: typeRules,
    async list(_ctx, actor, query) {
      const found = creditTypes
        .filter((type) => type.payment_type === 'paid' || can(actor, 'super_admin'))
        .map((type) => presentCreditType(type, actor))
        .filter((type) => includesText(type.title, query.q ?? '') && (query.ids === undefined || query.ids.includes(type.id)));
      const sorted = query.sort[0]?.isDescending ? found.toReversed() : found;
      return { rows: sorted.slice(query.offset, query.offset + query.limit), total: found.length };
    },
  });
}

function registerCodeReads(app: App): void {
  listRoute(app, {
    path: '/credits/codes',
    access: { permission: 'view_credit_transfer_codes' },
    summary: 'Codes that carry credits.',
    tag,
    rules: listRulesOf('credit-codes', { isSearchable: true }),
    list: (ctx, actor, query) => listCodes(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/credits/codes/:id',
    access: { permission: 'view_credit_transfer_codes' },
    summary: 'One code that carries credits.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const code = await findCode(ctx.reads, actor, params.id);
      if (!code) throw new NotFound({});
      return ok(code);
    },
  });
}

function registerHistory(app: App): void {
  listRoute(app, {
    path: '/credits/history',
    access,
    summary: 'What came to and went from the credits of companies that the caller sees.',
    tag,
    rules: historyRules,
    list: (ctx, actor, query) => listCreditHistory(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/credits/history/export/csv',
    access,
    summary: 'The history of credits as a file (`format` csv, json, xlsx; `timezone`); filters, sort and fields as in the list.',
    mediaType: 'text/csv',
    tag,
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const { options, list } = readExportOptions(request.query);
      const query = readListQuery(historyRules, { actor, reply }, list);
      const file = creditHistoryFile(ctx.reads, actor, query, query.fields ?? visibleFields(historyRules, actor));
      return exportAnswer(ctx, { name: 'credit-history', ...file, options });
    },
  });
}

function registerMoves(app: App): void {
  listRoute(app, {
    path: '/credits/move/history',
    access,
    summary: 'Moves of credits between companies, each once.',
    tag,
    rules: moveRules,
    list: (ctx, actor, query) => listMoves(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/companies/data/history',
    access: { permission: 'view_company_data_history' },
    summary: 'The data that companies bought, and what it cost.',
    tag,
    rules: listRulesOf('data-history', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listDataPurchases(ctx.reads, actor, query),
  });
}

/** Registers what only reads the credits. */
export function registerCreditReads(app: App): void {
  listRoute(app, {
    path: '/credits',
    access,
    summary: 'What companies have of each type of credit.',
    tag,
    rules: listRulesOf('credits', { isSearchable: true }),
    list: (ctx, actor, query) => listCredits(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/credits/holdings',
    access,
    summary: 'What each company has, itself and together with all below it.',
    tag,
    rules: listRulesOf('credit-holdings'),
    list: listHoldings,
  });
  registerCodeReads(app);
  registerTypes(app);
  registerHistory(app);
  registerMoves(app);
  route(app, {
    method: 'GET',
    path: '/credits/summary',
    access: { permission: 'view_credits_summary' },
    summary: 'What is left in all companies that the caller sees, or in one, what devices use of it, and how long it lasts.',
    tag,
    query: Type.Object({ company_id: Type.Optional(Type.Integer({ minimum: 1 })) }),
    handler: async ({ ctx, actor, query }) => ok(await summarizeCredits(ctx, actor, query)),
  });
  route(app, {
    method: 'GET',
    path: '/credits/check',
    access: { permission: 'super_admin' },
    summary: 'Adds the whole ledger up: `balanced`, and how many transfers, accounts and balances are wrong.',
    tag,
    async handler({ ctx }) {
      const faults = await checkLedger(ctx);
      return ok({ balanced: Object.values(faults).every((count) => count === 0), faults });
    },
  });
}

/** What is wrong with the ledger; all zero in one that is in order. */
interface LedgerFaults {
  /** Transfers whose entries do not sum to zero. */
  transfers: number;
  /** Accounts whose balance is not the sum of their entries. */
  accounts: number;
  /** Accounts below zero that may not be. */
  below_zero: number;
}

/** Adds the whole ledger up: every transfer must sum to zero, every balance be the sum of its entries. Reads every row, beside the event loop. */
export async function checkLedger(ctx: Context): Promise<LedgerFaults> {
  const query = sql<LedgerFaults>`select
    (select count(*) from (select transfer_id from credit_entries group by transfer_id having sum(amount) <> 0) as wrong) as transfers,
    (select count(*) from (select a.id from credit_accounts a left join credit_entries e on e.account_id = a.id
      group by a.id, a.balance having a.balance <> coalesce(sum(e.amount), 0)) as wrong) as accounts,
    (select count(*) from credit_accounts where balance < 0 and kind <> 'issued') as below_zero`;
  const [faults] = await ctx.database.longReads.rows(query.compile(ctx.reads));
  return faults ?? { transfers: 0, accounts: 0, below_zero: 0 };
}
