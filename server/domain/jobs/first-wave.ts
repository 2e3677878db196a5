import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Target } from './insert-targets.ts';
import type { Waves } from './types.ts';

const noDevice = (): InvalidFields =>
  new InvalidFields([{ source: 'waves.first_tag_id', message: 'None of the devices that this runs on has this tag.' }]);

/**
 * The devices with the tag of the first wave before all others, and how many of those it runs on; without such a tag as they are. Throws InvalidFields
 * at `waves.first_tag_id` for a tag that the actor does not see or that none of them has, and where `first` says it as well.
 */
export async function putFirst(
  ctx: Context,
  actor: Actor,
  waves: Waves | undefined,
  targets: Target[],
): Promise<{ targets: Target[]; first: number | null }> {
  const tagId = waves?.first_tag_id;
  if (tagId === undefined) return { targets, first: waves?.first ?? null };
  if (waves?.first !== undefined)
    throw new InvalidFields([{ source: 'waves.first_tag_id', message: 'The first wave has a number of devices or a tag, not both.' }]);
  const rows = await ctx.reads
    .selectFrom('device_tags')
    .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
    .select('device_tags.device_id')
    .where('tags.id', '=', tagId)
    .where(isVisible(actor, 'tags'))
    .execute();
  const tagged = new Set(rows.map((row) => row.device_id));
  const ahead = targets.filter(({ id }) => tagged.has(id));
  const first = ahead.filter(({ reason }) => reason === undefined).length;
  if (first === 0) throw noDevice();
  return { targets: [...ahead, ...targets.filter(({ id }) => !tagged.has(id))], first };
}
