import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';

/** The devices that a bulk call is for, as the actor sees them now. */
export interface ResolvedSelection {
  /** Distinct, ascending. */
  ids: number[];
  /** The count that the user saw, when "all that match" was chosen. */
  seen: number | null;
}

/**
 * Turns a selection into device ids. Ids that do not exist or are outside the actor's scope refuse the whole call (NOT_FOUND at
 * `device_id.<index>`); a query is checked like a list call and evaluated with the actor's rights.
 */
export type SelectionResolver = (ctx: Context, actor: Actor, input: SelectionInput) => Promise<ResolvedSelection>;

const resolvers = new WeakMap<Context, SelectionResolver>();

/** Called once at start by the room that knows how to list devices. */
export function registerSelection(ctx: Context, resolver: SelectionResolver): void {
  resolvers.set(ctx, resolver);
}

/** See SelectionResolver. */
export function resolveSelection(ctx: Context, actor: Actor, input: SelectionInput): Promise<ResolvedSelection> {
  const resolver = resolvers.get(ctx);
  if (!resolver) throw new Error('resolveSelection before registerSelection: the devices room is not registered');
  return resolver(ctx, actor, input);
}
