import { appliesTo } from '../../engine/actions/applicability.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { failureMessage, itemMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

// The server takes as many at once.
const MAX_DEVICES = 100;

async function chosenIds({ action, selection }: ActionContext): Promise<number[]> {
  if (selection.mode === 'rows') return [...selection.rows.values()].filter((row) => appliesTo(action, row)).map(({ id }) => id);
  const { data } = await dataProvider.getList<{ id: number; is_restorable: boolean }>({
    resource: 'removed-devices',
    pagination: { currentPage: 1, pageSize: MAX_DEVICES },
    meta: { query: selection.query },
  });
  return data.filter((row) => row.is_restorable).map(({ id }) => id);
}

/** Restores the chosen devices of the bin, each for itself: one that cannot come back keeps none of the others. */
export async function restoreChosen(context: ActionContext): Promise<boolean> {
  const { selection, reload } = context;
  if (selection.mode === 'all' && selection.count > MAX_DEVICES) {
    toasts.error(translate('devices.restore.too_many', { max: MAX_DEVICES }));
    return false;
  }
  try {
    const ids = await chosenIds(context);
    if (ids.length === 0) return false;
    const { data, errors } = await dataProvider.custom<{ id: number }[]>({
      url: '/devices/restore',
      method: 'post',
      payload: { device_id: ids },
    });
    const problems = [...new Set(errors.map((item) => itemMessage(item)))].join(' ');
    if (errors.length > 0)
      toasts.warning(translate('devices.restore.partly', { count: errors.length, problems }), { durationMs: Infinity });
    if (data.length > 0) toasts.success(translate('devices.restore.done', { count: data.length }));
    reload();
    return true;
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('form.failed') }));
    return false;
  }
}
