import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { currentTimezone, formatTime } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { saveFile } from '../actions/save-file.ts';
import type { Resource } from '../resources/resource.ts';
import type { ExportFormat } from './ExportButton.tsx';
import { resourceTitle } from './labels.ts';

interface Export {
  resource: Resource;
  path: string;
  query: Readonly<Record<string, string>>;
  columns: readonly ColumnEntry[];
  format: ExportFormat;
  viewName: string | undefined;
}

/** Saves a list as a file, with the columns on screen and times in the user's zone. A failure is shown. */
export async function exportList({ resource, path, query, columns, format, viewName }: Export): Promise<void> {
  try {
    const fields = columns.filter((column) => !column.isDrawn).map((column) => column.key);
    const asked = { ...query, fields, format, timezone: currentTimezone() };
    const { blob } = await api.download(path, { query: asked, survivesRouteChange: true });
    saveFile(blob, `${fileStem([resourceTitle(resource), viewName, formatTime(Date.now(), 'YYYY-MM-DD')])}.${format}`);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('table.exportFailed') }));
  }
}

/** Words of a file's name, without what some systems refuse in one: `Devices - North_South - 2026-11-21`. */
export function fileStem(words: readonly (string | undefined)[]): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are among them.
  return words.flatMap((word) => (word ? [word.replace(/[\u0000-\u001F\\/:*?"<>|]/g, '_')] : [])).join(' - ');
}
