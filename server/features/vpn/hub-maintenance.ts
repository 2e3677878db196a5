import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { companyDataLeft } from '../../domain/data-left.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { DAY } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { sealText } from '../../kernel/seal.ts';
import { renewRevokedList } from './clients.ts';
import { expiryOf, renewServer } from './pki.ts';
import { pkiOf, VPN_PKI_PURPOSE, type HubRow } from './store.ts';
import { startForgetting, startSync, syncedDevices } from './sync.ts';

const RENEW_BEFORE = 30 * DAY;
const LIST_AGE = 30 * DAY;
/** A quick hub that is over can be looked at for so long. */
const KEPT_AFTER_END = DAY;
const INACTIVE = 90 * DAY;
const INACTIVE_WITHOUT_USERS = 30 * DAY;
const ORIGIN = { ip: '', requestId: 'vpn', userAgent: '' };

async function note(trx: Trx, hub: HubRow, action: string, at: number, after: Record<string, string | number | null>): Promise<void> {
  const line = { action, entity: 'vpn_hub', entityId: hub.id, entityName: hub.name, companyId: hub.company_id, before: null, after };
  await writeAudit(trx, { actor: null, origin: ORIGIN, at }, [line]);
}

async function disable(ctx: Context, hub: HubRow, reason: NonNullable<HubRow['disabled_reason']>): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    await trx.updateTable('vpn_hubs').set({ enabled: 0, disabled_reason: reason, updated_at: at }).where('id', '=', hub.id).execute();
    await note(trx, hub, 'vpn-hubs.disable', at, { disabled_reason: reason });
  });
}

/** The person who made a hub, with the rights of now. */
async function makerOf(ctx: Context, hub: HubRow) {
  if (hub.created_by === null) return undefined;
  const place = await ctx.reads.selectFrom('users').select('users.company_id').where('users.id', '=', hub.created_by).executeTakeFirst();
  return place && findUserActor(ctx, { userId: hub.created_by, companyId: place.company_id });
}

/** Ends quick hubs whose time is over; a day later they are gone. */
async function endQuickHubs(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const over = await ctx.db.selectFrom('vpn_hubs').selectAll().where('vpn_hubs.quick_hub', '=', 1).where('ends_at', '<=', now).execute();
  for (const hub of over) {
    if (hub.enabled === 1) {
      const actor = await makerOf(ctx, hub);
      const devices = await syncedDevices(ctx, hub.id);
      await disable(ctx, hub, 'expired');
      if (actor) await startForgetting(ctx, { actor, origin: ORIGIN }, hub, devices);
    }
    if ((hub.ends_at ?? now) + KEPT_AFTER_END > now) continue;
    await inTransaction(ctx.db, async (trx) => {
      await trx.deleteFrom('vpn_hubs').where('id', '=', hub.id).execute();
      await note(trx, hub, 'vpn-hubs.remove', now, { disabled_reason: 'expired' });
    });
  }
}

/** Turns off hubs that nobody has used for long. */
async function endUnused(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const hubs = await ctx.db
    .selectFrom('vpn_hubs')
    .selectAll()
    .where('enabled', '=', 1)
    .where('quick_hub', '=', 0)
    .where('run_state', 'is not', null)
    .execute();
  for (const hub of hubs) {
    const clients = await ctx.db.selectFrom('vpn_clients').select('id').where('vpn_hub_id', '=', hub.id).limit(1).execute();
    const since = now - Math.max(hub.last_used_at ?? 0, hub.updated_at);
    if (clients.length === 0 && since > INACTIVE_WITHOUT_USERS) await disable(ctx, hub, 'inactive_without_users');
    else if (since > INACTIVE) await disable(ctx, hub, 'inactive');
  }
}

/** Turns off hubs of companies that have no data left, which what passes through them is taken off. */
async function endWithoutData(ctx: Context): Promise<void> {
  if (!ctx.config.hasResources) return;
  const hubs = await ctx.db.selectFrom('vpn_hubs').selectAll().where('enabled', '=', 1).where('bytes_used', '>', 0).execute();
  for (const hub of hubs)
    if ((await companyDataLeft(ctx.reads, hub.company_id, ctx.clock.now())) <= 0) await disable(ctx, hub, 'data_used');
}

/** Renews what would run out: the hub's own certificate, the list of revoked ones, and the certificates of devices. */
async function renew(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const hubs = await ctx.db.selectFrom('vpn_hubs').selectAll().where('sealed_pki', 'is not', null).execute();
  for (const hub of hubs) {
    if ((hub.revoked_list_at ?? 0) + LIST_AGE < now) await inTransaction(ctx.db, (trx) => renewRevokedList(ctx, trx, hub));
    if ((hub.server_expires_at ?? 0) - RENEW_BEFORE < now) {
      const pki = { ...pkiOf(ctx, hub), ...(await renewServer(pkiOf(ctx, hub), now)) };
      const sealed_pki = sealText(ctx.secretKey, VPN_PKI_PURPOSE, JSON.stringify(pki));
      const server_expires_at = expiryOf(pki.certificate);
      await inTransaction(ctx.db, async (trx) => {
        await trx.updateTable('vpn_hubs').set({ sealed_pki, server_expires_at }).where('id', '=', hub.id).execute();
        await note(trx, hub, 'vpn-hubs.renew', now, { server_expires_at });
      });
    }
  }
  const due = await ctx.db
    .selectFrom('vpn_clients')
    .select(['id', 'vpn_hub_id', 'device_id'])
    .where('device_certificate', 'is not', null)
    .where('expires_at', '<', now + RENEW_BEFORE)
    .where('sync_state', '=', 'done')
    .limit(100)
    .execute();
  for (const { id, vpn_hub_id, device_id } of due) {
    const hub = await ctx.db.selectFrom('vpn_hubs').selectAll().where('vpn_hubs.id', '=', vpn_hub_id).executeTakeFirst();
    const actor = hub && (await makerOf(ctx, hub));
    if (!actor || device_id === null) continue;
    // Without a certificate the device is asked for a request again, with the key that it has.
    await ctx.db.updateTable('vpn_clients').set({ device_certificate: null }).where('id', '=', id).execute();
    await startSync(ctx, { actor, origin: ORIGIN }, { hubId: vpn_hub_id, deviceId: device_id });
  }
}

/** What has to be done for hubs by itself, now and then. */
export async function maintainHubs(ctx: Context): Promise<void> {
  await endQuickHubs(ctx);
  await endUnused(ctx);
  await endWithoutData(ctx);
  await renew(ctx);
}
