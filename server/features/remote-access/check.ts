import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { findEntry } from '../../domain/remote/begin-session.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import { requireEntry } from './entries.ts';

type State = NonNullable<Row<'remote_entries'>['check_state']>;

async function stateOf(ctx: Context, entryId: number): Promise<State> {
  const { device, entry } = await findEntry(ctx.reads, undefined, entryId);
  try {
    const stream = await ctx.remote.openStream(device, entry);
    stream.on('error', () => undefined);
    stream.destroy();
    return 'open';
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return error.reason === 'refused' ? 'closed' : 'silent';
  }
}

/** Tries whether something answers at an entry, and keeps what was found. Throws NOT_FOUND. */
export async function checkEntry(ctx: Context, actor: Actor, id: number): Promise<State> {
  await requireEntry(ctx.reads, actor, id);
  const state = await stateOf(ctx, id);
  await ctx.db.updateTable('remote_entries').set({ check_state: state, checked_at: ctx.clock.now() }).where('id', '=', id).execute();
  return state;
}
