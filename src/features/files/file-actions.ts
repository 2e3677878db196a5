import type { File as FileRecord } from '../../../schemas/_generated/contract.ts';
import { saveFile } from '../../engine/actions/save-file.ts';
import { whileDownloading } from '../../engine/live/busy-rows.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { confirm, openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

// The server takes as many at once.
const MAX_FILES = 100;

/** The ids of what is chosen, "all that match" looked up as they are now; `undefined`, after saying so, when they are too many at once. */
async function chosenIds({ resource, selection }: ActionContext): Promise<number[] | undefined> {
  const ids =
    selection.mode === 'rows'
      ? [...selection.rows.keys()]
      : await (async () => {
          if (selection.count > MAX_FILES) return undefined;
          const { data } = await dataProvider.getList<Pick<FileRecord, 'id'>>({
            resource: resource.name,
            pagination: { currentPage: 1, pageSize: MAX_FILES },
            meta: { query: { ...selection.query, fields: 'id' } },
          });
          return data.map((row) => row.id);
        })();
  if (ids && ids.length <= MAX_FILES) return ids;
  toasts.error(translate('files.too_many', { max: MAX_FILES }));
  return undefined;
}

/** Opens the preview of the chosen file. */
export async function previewChosen({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) await openPreview(row.id, String(row['name'] ?? ''));
}

/** Shows what can be shown of a file. */
export function openPreview(id: number, name: string): Promise<unknown> {
  return openDialog('files.preview', { fileId: id, name });
}

/** Shows how the newer of two chosen files differs from the older one. */
export async function compareChosen(context: ActionContext): Promise<false | void> {
  const ids = await chosenIds(context);
  const [fromId, toId, third] = [...(ids ?? [])].sort((a, b) => a - b);
  if (fromId === undefined || toId === undefined || third !== undefined) {
    toasts.info(translate('files.compare.two'));
    return false;
  }
  await openDialog('files.compare', { fromId, toId });
  return false;
}

/** Saves one file, or several as a ZIP, through the browser. Failures are shown as a message. */
export async function downloadFiles(ids: readonly number[]): Promise<void> {
  try {
    const options = { survivesRouteChange: true };
    const [only] = ids;
    const file =
      ids.length === 1
        ? await api.download(`/files/${String(only)}/download`, options)
        : await api.downloadBy('/files/download/zip', { files: ids }, options);
    saveFile(file.blob, file.fileName);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('files.download_failed') }));
  }
}

/** Saves what is chosen. */
export async function downloadChosen(context: ActionContext): Promise<void> {
  const ids = await chosenIds(context);
  if (ids && ids.length > 0) await whileDownloading(context.resource.name, ids, () => downloadFiles(ids));
}

/** Deletes what is chosen after asking, all or none. */
export async function removeChosen(context: ActionContext): Promise<void> {
  const ids = await chosenIds(context);
  if (!ids || ids.length === 0) return;
  const isMeant = await confirm({
    title: translate('files.remove.title', { count: ids.length }),
    promptContent: translate('files.remove.text'),
    confirmText: translate('files.remove.confirm'),
    danger: true,
  });
  if (!isMeant) return;
  try {
    await dataProvider.custom({ url: '/files/remove', method: 'post', payload: { files: ids } });
    toasts.success(translate('files.remove.done', { count: ids.length }));
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('files.remove.failed') }));
  }
  context.reload();
}
