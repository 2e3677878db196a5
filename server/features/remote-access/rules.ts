import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { isOfSide } from '../../domain/remote/consent.ts';
import { ConsentNotYours } from '../../domain/remote/errors.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { findRemoteRules, type RemoteRules } from '../../domain/remote/settings.ts';
import { idsOnPath, isVisible, requireCompany } from '../../kernel/tenancy.ts';

/** What holds for devices of a company, and whose rules these are: its own, those of a company above, which is named to those who see it, or nobody's. Throws NOT_FOUND. */
export async function getRules(ctx: Context, actor: Actor, companyId: number) {
  const company = await requireCompany(ctx.reads, actor, companyId);
  const rules = await findRemoteRules(ctx.reads, company.path);
  const giver =
    rules.company_id === null || rules.company_id === company.id
      ? undefined
      : await ctx.reads
          .selectFrom('companies')
          .select(['companies.id', 'companies.name'])
          .where('companies.id', '=', rules.company_id)
          .where(isVisible(actor, 'companies'))
          .executeTakeFirst();
  return {
    id: company.id,
    rules_of: rules.company_id === null ? ('nobody' as const) : rules.company_id === company.id ? ('own' as const) : ('above' as const),
    giver: giver ?? null,
    // `/7/` is at the top.
    has_above: idsOnPath(company.path).length > 1,
    records_terminals: rules.records_terminals === 1,
    records_desktops: rules.records_desktops === 1,
    asks_consent: rules.asks_consent === 1,
    idle_minutes: rules.idle_minutes,
  };
}

/** Throws REMOTE_CONSENT_OF_OTHERS for who would do without the consent of a company that is not theirs. */
function assertMayDropConsent(actor: Actor, path: string, rules: { now: RemoteRules; then: boolean }, name: string, source?: string): void {
  const { now, then } = rules;
  if (now.asks_consent === 0 || then || can(actor, 'super_admin') || isOfSide(actor, now, path)) return;
  throw new ConsentNotYours({ company: name }, source === undefined ? {} : { source });
}

/** Gives a company rules of its own. Throws NOT_FOUND; REMOTE_CONSENT_OF_OTHERS at `asks_consent` for who would do without the consent of a company that is not theirs. */
export async function putRules(ctx: Context, { actor, origin }: Caller, companyId: number, input: FormData['remote-access/rules']) {
  const at = ctx.clock.now();
  const before = await getRules(ctx, actor, companyId);
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, companyId);
    const asksConsent = input.asks_consent ?? before.asks_consent;
    const rules = await findRemoteRules(trx, company.path);
    assertMayDropConsent(actor, company.path, { now: rules, then: asksConsent }, company.name, 'asks_consent');
    const values = {
      records_terminals: input.records_terminals ? (1 as const) : (0 as const),
      records_desktops: (input.records_desktops ?? before.records_desktops) ? (1 as const) : (0 as const),
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
        before: recordOf(before),
        after: { id: company.id, ...input },
      },
    ]);
  });
}

type Rules = Awaited<ReturnType<typeof getRules>>;

const recordOf = ({ id, records_terminals, records_desktops, asks_consent, idle_minutes }: Rules) => ({
  ...{ id, records_terminals, records_desktops },
  ...{ asks_consent, idle_minutes },
});

/** Drops the rules of a company, so that those of the nearest company above hold again. Throws NOT_FOUND; REMOTE_CONSENT_OF_OTHERS as above. */
export async function dropRules(ctx: Context, { actor, origin }: Caller, companyId: number): Promise<void> {
  const at = ctx.clock.now();
  const before = await getRules(ctx, actor, companyId);
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, companyId);
    const now = await findRemoteRules(trx, company.path);
    if (now.company_id !== company.id) return;
    await trx.deleteFrom('remote_settings').where('company_id', '=', company.id).execute();
    const then = await findRemoteRules(trx, company.path);
    assertMayDropConsent(actor, company.path, { now, then: then.asks_consent === 1 }, company.name);
    const records = { records_terminals: then.records_terminals === 1, records_desktops: then.records_desktops === 1 };
    const after = { id: company.id, ...records, asks_consent: then.asks_consent === 1 };
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'companies.remote-access',
        entity: 'company',
        entityId: company.id,
        entityName: company.name,
        companyId: company.id,
        before: recordOf(before),
        after: { ...after, idle_minutes: then.idle_minutes },
      },
    ]);
  });
}
