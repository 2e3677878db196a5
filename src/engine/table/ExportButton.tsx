import { useState } from 'react';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button } from '../../ui/Button.tsx';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import { saveFile } from '../actions/save-file.ts';
import type { Resource } from '../resources/resource.ts';

export interface ExportButtonProps {
  resource: Resource;
  query: Readonly<Record<string, string>>;
  columns: readonly ColumnEntry[];
}

/** Saves everything that matches the filters as CSV, with the columns on screen; nothing for a resource without an export. */
export function ExportButton({ resource, query, columns }: ExportButtonProps) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const path = resource.export?.csv;
  if (!path) return null;
  const save = async () => {
    setBusy(true);
    try {
      const fields = columns.map((column) => column.key);
      const file = await api.download(path, { query: { ...query, fields }, survivesRouteChange: true });
      saveFile(file.blob, file.fileName);
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: t('table.exportFailed') }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="download" isBusy={isBusy} onClick={() => void save()}>
      {t('table.export')}
    </Button>
  );
}
