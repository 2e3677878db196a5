import { useT } from '../../kernel/i18n/index.ts';
import { SmallTable } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { plain } from './values.ts';

export interface DeviceChanges {
  id: number;
  name: string;
  changes: { section: string; item: string; option: string; before: string | string[] | null; after: string | string[] | null }[];
}

interface DeviceChangesTableProps {
  devices: readonly DeviceChanges[];
  label: string;
  /** The name of an option; with its section unless given. */
  nameOf?(option: string): string;
}

/** What changes on each device: option, before, after. */
export function DeviceChangesTable({ devices, label, nameOf }: DeviceChangesTableProps) {
  const t = useT();
  const rows = devices.flatMap(({ id, name, changes }) => changes.map((change) => ({ ...change, device: id, name })));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse.
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <SmallTable
        className={styles.grid}
        label={label}
        rows={rows}
        keyOf={({ device, section, item, option }) => `${device} ${section} ${item} ${option}`}
        columns={[
          { key: 'name', title: t('fields.name'), render: ({ name }) => name },
          {
            key: 'option',
            title: t('configurator.option'),
            render: ({ section, item, option }) => {
              if (item === '') return nameOf ? t('configurator.order') : `${section} · ${t('configurator.order')}`;
              return nameOf?.(option) ?? `${section} · ${item} · ${option}`;
            },
          },
          { key: 'before', title: t('configurator.before'), render: ({ before }) => plain(before ?? undefined) },
          { key: 'after', title: t('configurator.after'), render: ({ after }) => plain(after ?? undefined) },
        ]}
      />
    </div>
  );
}
