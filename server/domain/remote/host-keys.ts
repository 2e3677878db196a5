import type { Context } from '../../context.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Origin } from '../../kernel/actor.ts';
import type { KnownKey } from './ssh-client.ts';
import type { RemoteSession } from './types.ts';

/** The host keys that people have trusted at the address of a session. */
export async function knownKeys(ctx: Context, { device, entry }: RemoteSession): Promise<KnownKey[]> {
  return ctx.db
    .selectFrom('remote_host_keys')
    .select(['key_type', 'fingerprint'])
    .where('device_id', '=', device.id)
    .where('host', '=', entry.host)
    .where('port', '=', entry.port)
    .orderBy('id')
    .execute();
}

/** Keeps a key that a person has trusted, in the place of the one of its type, and writes it down. */
export async function keepKey(ctx: Context, session: RemoteSession, origin: Origin, key: KnownKey): Promise<void> {
  const { device, entry, actor } = session;
  const at = ctx.clock.now();
  const before = (await knownKeys(ctx, session)).find(({ key_type }) => key_type === key.key_type);
  const place = { host: entry.host, port: entry.port };
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .deleteFrom('remote_host_keys')
      .where('device_id', '=', device.id)
      .where('host', '=', entry.host)
      .where('port', '=', entry.port)
      .where('key_type', '=', key.key_type)
      .execute();
    await trx
      .insertInto('remote_host_keys')
      .values({ device_id: device.id, ...place, ...key, trusted_by: actor.userId, created_at: at })
      .execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'devices.trust-host-key',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: before ? { ...place, ...before } : null,
        after: { ...place, ...key },
      },
    ]);
  });
}
