import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Menu, type MenuEntry } from '../../ui/index.ts';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { selectionCount, type Selection } from './selection.ts';

export interface ExportButtonProps {
  resource: Resource;
  query: Readonly<Record<string, string>>;
  columns: readonly ColumnEntry[];
  selection: Selection;
  /** The saved view that is open. */
  viewName: string | undefined;
}

const FORMATS = ['csv', 'xlsx', 'json'] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** docs/behaviour.md section 7: as many records as an address can name. */
const MOST_CHOSEN = 1000;

/** Saves all that matches the filters, or what is chosen, in the order and with the columns on screen; nothing for a resource without an export. */
export function ExportButton({ resource, query, columns, selection, viewName }: ExportButtonProps) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const path = resource.export?.csv ?? `/${resource.path ?? resource.name}/export/csv`;
  if (!path) return null;
  async function save(of: Readonly<Record<string, string>>, format: ExportFormat): Promise<void> {
    setBusy(true);
    const { exportList } = await import('./export-list.ts');
    await exportList({ resource, path: path ?? '', query: of, columns, format, viewName });
    setBusy(false);
  }
  const entries = (group: string, heading: string, of: Readonly<Record<string, string>>): MenuEntry[] =>
    FORMATS.map((format, index) => ({
      id: `${group}-${format}`,
      label: t(`table.exportAs.${format}`),
      ...(index === 0 ? { heading } : {}),
      onSelect: () => void save(of, format),
    }));
  const count = selectionCount(selection);
  const chosen = selection.mode === 'rows' && count > 0 && count <= MOST_CHOSEN ? [...selection.rows.keys()].join(',') : undefined;
  return (
    <Menu
      label={t('table.export')}
      entries={() => [
        ...(chosen === undefined ? [] : entries('chosen', t('table.exportSelected', { count }), { ...query, id: chosen })),
        ...entries('all', t('table.exportAll'), query),
      ]}
    >
      <Button icon="download" isBusy={isBusy}>
        {t('table.export')}
      </Button>
    </Menu>
  );
}
