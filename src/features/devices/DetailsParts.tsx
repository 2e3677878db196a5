import type { ReactNode } from 'react';
import type { Device, DeviceDetails } from '../../../schemas/_generated/contract.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, EmptyState, RelativeTime, SmallTable, type SmallTableColumn } from '../../ui/index.ts';
import { askForReport } from './use-details.ts';
import styles from './details.module.css';

export interface DetailsPartProps {
  device: Device;
  details: DeviceDetails;
}

/** How old a report is, and a button that asks for a new one. */
export function ReportLine({ device, details, label }: DetailsPartProps & { label: string }) {
  const t = useT();
  const can = useCan();
  return (
    <div className={styles.line}>
      <span className={styles.muted}>
        {t('devices.details.reported')} <RelativeTime time={details.received_at} saysAgo />
        {details.changed_at && details.changed_at !== details.received_at ? (
          <>
            {' · '}
            {t('devices.details.changed')} <RelativeTime time={details.changed_at} saysAgo />
          </>
        ) : null}
      </span>
      {can('execute_device_actions') && device.status === 1 ? (
        <Button size="small" icon="refresh-cw" onClick={() => askForReport(device)}>
          {label}
        </Button>
      ) : null}
    </div>
  );
}

/** A part that the device has not reported. */
export function NotReported({ device, details }: DetailsPartProps) {
  const t = useT();
  return (
    <Card>
      <EmptyState title={t('devices.details.none')} text={t('devices.details.none.text')} />
      {details.received_at ? <ReportLine device={device} details={details} label={t('devices.details.refresh')} /> : null}
    </Card>
  );
}

/** A table in a card of its own; nothing when the device does not report it. */
export function TableCard<R>({
  title,
  rows,
  columns,
  keyOf,
  extra,
  none,
}: {
  title: string;
  rows: readonly R[] | null;
  columns: readonly SmallTableColumn<R>[];
  keyOf(row: R): string;
  extra?: ReactNode;
  none?: string;
}) {
  const t = useT();
  if (rows === null) return null;
  return (
    <Card title={title} extra={extra}>
      {rows.length === 0 ? (
        <p className={styles.muted}>{none ?? t('devices.network.empty')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse.
        <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
          <SmallTable className={styles.table} hasRowNames label={title} columns={columns} rows={rows} keyOf={keyOf} />
        </div>
      )}
    </Card>
  );
}
