import { confirm } from '../../engine/dialogs/index.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

interface Usage {
  devices_count: number;
  codes: { id: number; hint: string }[];
  actions_count: number;
}

// More hints than these do not help anybody to decide.
const MAX_HINTS = 5;

/** What a tag is on and in, one sentence for each kind of place; none for a tag that is nowhere. */
export function usageSentences({ devices_count: devices, codes, actions_count: actions }: Usage): string[] {
  const hints = [...codes.slice(0, MAX_HINTS).map((code) => code.hint), ...(codes.length > MAX_HINTS ? ['…'] : [])];
  return [
    ...(devices > 0 ? [translate('tags.usage.devices', { count: devices })] : []),
    ...(codes.length > 0 ? [translate('tags.usage.codes', { count: codes.length, codes: hints.join(', ') })] : []),
    ...(actions > 0 ? [translate('tags.usage.actions', { count: actions })] : []),
  ];
}

/** Says where the tag is used, asks, and deletes it; answers whether it did. */
export async function removeChosenTag({ rows, reload }: ActionContext): Promise<boolean> {
  const [row] = rows;
  if (!row) return false;
  try {
    const { data } = await dataProvider.custom<Usage>({ url: `/tags/${row.id}/usage`, method: 'get' });
    const places = usageSentences(data);
    const isMeant = await confirm({
      title: translate('tags.remove.title', { name: String(row['name']) }),
      promptContent: [...(places.length > 0 ? places : [translate('tags.usage.nowhere')]), translate('tags.remove.text')].join('\n\n'),
      confirmText: translate('tags.remove.confirm'),
      danger: true,
    });
    if (!isMeant) return false;
    await dataProvider.deleteOne({ resource: 'tags', id: row.id });
    toasts.success(translate('tags.remove.done'));
    reload();
    return true;
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('tags.remove.failed') }));
    return false;
  }
}
