import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError } from '../../kernel/errors.ts';
import { queueTagActions } from '../../domain/tags/queue-tag-actions.ts';

const ORIGIN = { ip: '', requestId: 'first-contact', userAgent: '' };
const AT_ONCE = 100;
/** So long the updates of a device that went away again wait for it. */
const WAIT_SECONDS = (30 * DAY) / SECOND;
/** What puts firmware and settings on a device that came for the first time; registered by the room of updates. */
export const FIRST_CONTACT_KIND = 'first_contact';

type Awaited = Row<'awaited_devices'>;

/** Starts the updates of a device as the person who added it. Answers whether there is a job that will end. */
async function startUpdates(ctx: Context, row: Awaited): Promise<boolean> {
  if (row.user_id === null || (row.firmware_file_id === null && row.config_file_id === null)) return false;
  const actor = await findUserActor(ctx, { userId: row.user_id, companyId: row.actor_company_id, onBehalfOf: null });
  if (!actor) return false;
  const input = { firmware_file_id: row.firmware_file_id, config_file_id: row.config_file_id };
  const request = { kind: FIRST_CONTACT_KIND, input, target: { device_id: [row.device_id] }, schedule: { wait_seconds: WAIT_SECONDS } };
  try {
    await ctx.jobs.create(actor, ORIGIN, { ...request, idempotencyKey: `first-contact-${row.device_id}-${row.joined_at ?? 0}` });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ device: row.device_id, code: error.items[0]?.code }, 'what a new device was to get could not be started');
    return false;
  }
}

/**
 * Gives devices that were added ahead and have said hello what they were to get: firmware, then settings, as one job, then what their tags do. The record
 * of having been awaited goes with it; the key of the job keeps two processes from starting it twice.
 */
export async function welcomeJoined(ctx: Context): Promise<void> {
  const joined = await ctx.db
    .selectFrom('awaited_devices')
    .selectAll()
    .where('joined_at', 'is not', null)
    // Not a join: few devices are awaited, and a database that does not know it would go through all devices.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('devices')
          .select('devices.id')
          .whereRef('devices.id', '=', 'awaited_devices.device_id')
          .where('devices.activated_at', 'is not', null)
          .where('devices.quarantine', 'is', null),
      ),
    )
    .orderBy('awaited_devices.joined_at')
    .limit(AT_ONCE)
    .execute();
  for (const row of joined) {
    const isUpdated = await startUpdates(ctx, row);
    await inTransaction(ctx.db, async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('awaited_devices').where('device_id', '=', row.device_id).executeTakeFirst();
      if (numDeletedRows === 0n || isUpdated) return;
      const tags = await trx.selectFrom('device_tags').select('tag_id').where('device_id', '=', row.device_id).execute();
      await queueTagActions(
        ctx,
        trx,
        tags.map(({ tag_id }) => [row.device_id, tag_id]),
      );
    });
  }
}
