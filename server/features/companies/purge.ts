import type { Context } from '../../context.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { removeMembershipsIn } from '../../kernel/auth/memberships.ts';
import { emptyDevices } from '../../kernel/db/clean.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { deleteRemovedDevices } from '../../domain/devices/removed.ts';
import { revokeCredentials } from '../../domain/devices/revoke-credentials.ts';
import { KEPT_MS } from './removed-repo.ts';
import { findSubtree } from './subtree.ts';

const BY_SYSTEM = { ip: '', requestId: '', userAgent: '' };

/** Deletes a company that was removed at `before` or earlier, with everything in it, for good. */
export async function purgeCompany(ctx: Context, id: number, before: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const company = await trx.selectFrom('companies').selectAll().where('id', '=', id).where('removed_at', '<=', before).executeTakeFirst();
    if (!company) return;
    const subtree = await findSubtree(trx, company.path);
    const ids = ctx.database.tools.idList(subtree.map((one) => one.id));
    const removed = await trx.selectFrom('removed_devices').select('device_id').where('company_id', 'in', ids).execute();
    const binned = await deleteRemovedDevices(
      trx,
      removed.map((one) => one.device_id),
    );
    const devices = await trx.deleteFrom('devices').where('company_id', 'in', ids).returning('device_key').execute();
    await removeMembershipsIn(trx, ids);
    for (const table of ['jobs', 'tags', 'enrolment_codes', 'roles'] as const) {
      await trx.deleteFrom(table).where('company_id', 'in', ids).execute();
    }
    await trx.updateTable('credit_accounts').set({ kind: 'closed' }).where('kind', '=', 'company').where('company_id', 'in', ids).execute();
    for (const one of subtree.toReversed()) await trx.deleteFrom('companies').where('id', '=', one.id).execute();
    await writeAudit(trx, { actor: null, origin: BY_SYSTEM, at }, [
      {
        action: 'companies.purge',
        entity: 'company',
        entityId: id,
        entityName: company.name,
        companyId: company.parent_id,
        before: { ...company },
        after: null,
      },
    ]);
    afterCommit(trx, () =>
      revokeCredentials(
        ctx,
        [...devices, ...binned].map((device) => device.device_key),
      ),
    );
  });
}

/** Deletes what the devices of a removed company, and of those below it, have gathered. */
async function emptyCompany(ctx: Context, id: number): Promise<void> {
  const company = await ctx.reads.selectFrom('companies').select('path').where('id', '=', id).executeTakeFirst();
  if (!company) return;
  const subtree = await findSubtree(ctx.reads, company.path);
  const ids = ctx.database.tools.idList(subtree.map((one) => one.id));
  const devices = await ctx.reads.selectFrom('devices').select('id').where('company_id', 'in', ids).execute();
  for (const device of devices) await emptyDevices(ctx, [device.id]);
}

/** Deletes for good what was removed 30 days ago or longer, with everything in it. What credits moved stays in the ledger. */
export async function purgeRemoved(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - KEPT_MS;
  const due = await ctx.reads.selectFrom('companies').select('id').where('removed_at', '<=', before).orderBy('removed_at').execute();
  for (const { id } of due) {
    await emptyCompany(ctx, id);
    await purgeCompany(ctx, id, before);
  }
}
