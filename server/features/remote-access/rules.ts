import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { isOfSide } from '../../domain/remote/consent.ts';
import { ConsentNotYours } from '../../domain/remote/errors.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { findRemoteRules } from '../../domain/remote/settings.ts';
import { requireCompany } from '../../kernel/tenancy.ts';

/** What holds for devices of a company. Throws NOT_FOUND. */
export async function getRules(ctx: Context, actor: Actor, companyId: number) {
  const company = await requireCompany(ctx.reads, actor, companyId);
  const rules = await findRemoteRules(ctx.reads, company.path);
  return {
    id: company.id,
    records_terminals: rules.records_terminals === 1,
    asks_consent: rules.asks_consent === 1,
    idle_minutes: rules.idle_minutes,
  };
}

/** Gives a company rules of its own. Throws NOT_FOUND; REMOTE_CONSENT_OF_OTHERS at `asks_consent` for who would do without the consent of a company that is not theirs. */
export async function putRules(ctx: Context, { actor, origin }: Caller, companyId: number, input: FormData['remote-access/rules']) {
  const at = ctx.clock.now();
  const before = await getRules(ctx, actor, companyId);
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, companyId);
    const asksConsent = input.asks_consent ?? before.asks_consent;
    const rules = await findRemoteRules(trx, company.path);
    if (before.asks_consent && !asksConsent && !can(actor, 'super_admin') && !isOfSide(actor, rules, company.path))
      throw new ConsentNotYours({ company: company.name }, { source: 'asks_consent' });
    const values = {
      records_terminals: input.records_terminals ? (1 as const) : (0 as const),
      asks_consent: asksConsent ? (1 as const) : (0 as const),
      idle_minutes: input.idle_minutes,
      updated_at: at,
    };
    await trx
      .insertInto('remote_settings')
      .values({ company_id: company.id, ...values })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.remote-access',
        entity: 'company',
        entityId: company.id,
        entityName: company.name,
        companyId: company.id,
        before,
        after: { id: company.id, ...input },
      },
    ]);
  });
}
