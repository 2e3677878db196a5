import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { translate } from '../../kernel/i18n/index.ts';

/** So many tags are named; of more, the toast says only that tags were added. */
const NAMED = 3;

/** "canary, ferry added to 2 devices": what a toast says after tags were added to devices or removed from them; undefined for many tags. */
export async function tagWords(
  form: string,
  { tag_id: ids }: Readonly<Record<string, JsonValue>>,
  count: number,
): Promise<string | undefined> {
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > NAMED) return undefined;
  const { data } = await dataProvider.getList<{ id: number; name: string }>({
    resource: 'tags',
    pagination: { currentPage: 1, pageSize: NAMED },
    meta: { query: { id: ids.map(String) } },
  });
  const names = data.map(({ name }) => name);
  if (names.length !== ids.length) return undefined;
  const key = form === 'devices/assign-tags' ? 'devices.tags.added' : 'devices.tags.removed';
  return translate(key, { names: names.join(', '), count });
}
