import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { NotFound, type AppError } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { CsvDeviceTwice, CsvDeviceUnknown, CsvNumberRounded, CsvNoTag, CsvTagForeign, CsvTagUnknown } from './errors.ts';
import { canCarryTag } from './policy.ts';
import type { Identifier, TagLine } from './read-tag-csv.ts';
import { changeTags, type TagMode, type TagRequest } from './tag-changes.ts';
import { isRoundedNumber } from '../../../schemas/kit/text/separated-text.ts';

interface CsvRequest {
  lines: readonly TagLine[];
  identifier: Identifier;
  mode: TagMode;
  /** For every line, beside those that it names. */
  tagIds: readonly number[];
}

interface Found {
  id: number;
  path: string;
}
interface KnownTag extends Found {
  name: string;
}

const CHUNK = 500;

async function findDevices(ctx: Context, actor: Actor, identifier: Identifier, names: readonly string[]): Promise<Map<string, Found[]>> {
  const rows: (Found & { key: string })[] = [];
  for (let start = 0; start < names.length; start += CHUNK) {
    const found = await ctx.reads
      .selectFrom('devices')
      .innerJoin('companies', 'companies.id', 'devices.company_id')
      .select(['devices.id', 'companies.path', `devices.${identifier} as key`])
      .where(`devices.${identifier}`, 'in', names.slice(start, start + CHUNK))
      .where(isVisible(actor, 'devices'))
      .execute();
    rows.push(...found);
  }
  return Map.groupBy(rows, (row) => row.key);
}

function findVisibleTags(ctx: Context, actor: Actor): Promise<KnownTag[]> {
  return ctx.reads
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .select(['tags.id', 'tags.name', 'companies.path'])
    .where(isVisible(actor, 'tags'))
    .execute();
}

/** Of tags with one name, the one nearest to the device. */
function nearest(tags: readonly KnownTag[] | undefined, device: Found): KnownTag | undefined {
  return tags?.filter((tag) => canCarryTag(device.path, tag.path)).toSorted((a, b) => b.path.length - a.path.length)[0];
}

/**
 * Changes the tags of the devices of a list, line by line: what is wrong with a line keeps only that line back. Returns the devices of the other
 * lines, how many of them changed, and a fault for each line left out, with its number. Throws NOT_FOUND at `tag_id.<index>`.
 */
export async function changeTagsByCsv(
  ctx: Context,
  caller: Caller,
  { lines, identifier, mode, tagIds }: CsvRequest,
): Promise<{ deviceIds: number[]; changed: number; faults: ErrorItem[] }> {
  const { actor } = caller;
  const devices = await findDevices(ctx, actor, identifier, [...new Set(lines.map((line) => line.device))]);
  const tags = await findVisibleTags(ctx, actor);
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const byName = Map.groupBy(tags, (tag) => tag.name);
  const common = tagIds.map((id, index) => {
    const tag = byId.get(id);
    if (!tag) throw new NotFound({}, { source: `tag_id.${index}` });
    return tag;
  });
  const faults: ErrorItem[] = [];
  const wanted = new Map<number, number[]>();
  for (const { line, device: name, tags: names } of lines) {
    const refuse = (fault: AppError): void => void faults.push(...fault.items);
    const place = { source: `file.${line}` };
    const [device, another] = devices.get(name) ?? [];
    if (isRoundedNumber(name)) refuse(new CsvNumberRounded({ line, device: name }, place));
    else if (!device) refuse(new CsvDeviceUnknown({ line, device: name }, place));
    else if (another) refuse(new CsvDeviceTwice({ line, device: name }, place));
    else if (common.length + names.length === 0 && mode !== 'overwrite') refuse(new CsvNoTag({ line }, place));
    else {
      const unknown = names.find((tag) => !byName.has(tag));
      const named = names.map((tag) => nearest(byName.get(tag), device));
      const foreign = common.find((tag) => !canCarryTag(device.path, tag.path))?.name ?? names[named.indexOf(undefined)];
      if (unknown !== undefined) refuse(new CsvTagUnknown({ line, tag: unknown }, place));
      else if (foreign !== undefined) refuse(new CsvTagForeign({ line, tag: foreign, device: name }, place));
      else
        wanted.set(device.id, [...new Set([...(wanted.get(device.id) ?? []), ...[...common, ...named].flatMap((tag) => tag?.id ?? [])])]);
    }
  }
  const groups = Map.groupBy(wanted, ([, ids]) => ids.toSorted((a, b) => a - b).join());
  const requests = [...groups.values()].map((group): TagRequest => ({
    deviceIds: group.map(([id]) => id),
    tagIds: group[0]?.[1] ?? [],
    source: { devices: 'file', tags: 'file' },
  }));
  return { deviceIds: [...wanted.keys()], changed: await changeTags(ctx, caller, mode, requests), faults };
}
