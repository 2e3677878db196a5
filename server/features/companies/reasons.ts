import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { requireCompany } from '../../kernel/tenancy.ts';

async function readSetting(ctx: Context, actor: Actor, id: number) {
  const { name, asks_reason, asks_review } = await requireCompany(ctx.reads, actor, id);
  return { id, name, asks_reason: asks_reason === 1, asks_review: asks_review === 1 };
}

async function changeSetting(ctx: Context, { actor, origin }: Caller, id: number, asked: FormData['companies/reasons']): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireCompany(trx, actor, id);
    const asksReview = asked.asks_review ?? before.asks_review === 1;
    const change = { asks_reason: asked.asks_reason ? 1 : 0, asks_review: asksReview ? 1 : 0, updated_at: at } as const;
    if (before.asks_reason === change.asks_reason && before.asks_review === change.asks_review) return;
    await trx.updateTable('companies').set(change).where('id', '=', id).execute();
    const entry = { action: 'companies.reasons', entity: 'company', entityId: id, entityName: before.name, companyId: id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before, after: { ...before, ...change } }]);
  });
}

/** Registers whether risky jobs on the devices of a company need a reason, and changes of settings a review. */
export function registerReasons(app: App): void {
  route(app, {
    method: 'GET',
    path: '/companies/:id/reasons',
    access: { permission: 'update_companies' },
    summary:
      'Whether risky jobs on devices of a company, and of those below, need a reason, and changes of their settings a second person.',
    tag: 'companies',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readSetting(ctx, actor, params.id)),
  });
  formRoute(app, 'companies/reasons', async ({ ctx, actor, origin, params, body }) => {
    await changeSetting(ctx, { actor, origin }, params.id, body);
    return ok();
  });
}
