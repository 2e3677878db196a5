import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import type { DeviceDetails } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { DAY, toWire } from '../../kernel/time/index.ts';
import { Button, ErrorState, ExactTime, Skeleton, StatusMark } from '../../ui/index.ts';
import { NotReported, ReportLine, TableCard, type DetailsPartProps } from './DetailsParts.tsx';
import { switchOutput } from './use-details.ts';
import styles from './details.module.css';

type Pin = NonNullable<DeviceDetails['pins']>[number];

const HISTORY_DAYS = 7;
const MOST_ROWS = 100;

const onOff = (state: number): 'on' | 'off' => (state === 1 ? 'on' : 'off');

function stateWords(t: Translate, { kind, state, unit }: Pin): string {
  return kind === 'analog' ? `${formatNumber(state)}${unit ? ` ${unit}` : ''}` : t(`devices.io.${onOff(state)}`);
}

interface Change {
  pin: string;
  state: number;
  created_at: string;
}

function History({ device, details }: DetailsPartProps) {
  const t = useT();
  const [openedAt] = useState(() => Date.now());
  const { query } = useCustom<Change[], ApiError>({
    url: `/devices/${device.id}/information/io`,
    method: 'get',
    config: { query: { start_date: toWire(openedAt - HISTORY_DAYS * DAY) } },
    // Read again when something changed.
    meta: { changed: details.changed_at },
    errorNotification: false,
  });
  const data = query.data?.data;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!data) return <Skeleton height={120} />;
  const rows = data.toReversed().slice(0, MOST_ROWS);
  return (
    <TableCard
      title={t('devices.io.history')}
      rows={rows}
      none={t('devices.io.unchanged')}
      keyOf={({ pin, created_at }) => `${pin} ${created_at}`}
      columns={[
        { key: 'pin', title: t('devices.io.pin'), render: ({ pin }) => <code>{pin}</code> },
        {
          key: 'state',
          title: t('devices.io.state'),
          render: ({ state }) => <StatusMark kind={state === 1 ? 'good' : 'idle'}>{t(`devices.io.${onOff(state)}`)}</StatusMark>,
        },
        { key: 'when', title: t('devices.io.when'), render: ({ created_at: time }) => <ExactTime time={time} /> },
      ]}
    />
  );
}

/** The inputs and outputs of a device as they are now; outputs are switched by a job; what changed before. */
export function DeviceIo({ device, details }: DetailsPartProps) {
  const t = useT();
  const can = useCan();
  const { pins } = details;
  if (!pins || pins.length === 0) return <NotReported device={device} details={details} />;
  const canSwitch = can('execute_device_actions') && device.status === 1 && pins.some(({ direction }) => direction === 'out');
  return (
    <div className={styles.column}>
      <ReportLine device={device} details={details} label={t('devices.details.refresh')} />
      <TableCard
        title={t('devices.io.title')}
        rows={pins}
        keyOf={({ name }) => name}
        columns={[
          { key: 'pin', title: t('devices.io.pin'), render: ({ name }) => <code>{name}</code> },
          {
            key: 'kind',
            title: t('devices.io.kind'),
            render: ({ direction, kind }) => `${t(`devices.io.${direction}`)}, ${t(`devices.io.${kind}`)}`,
          },
          {
            key: 'state',
            title: t('devices.io.state'),
            render: (pin) =>
              pin.kind === 'analog' ? (
                stateWords(t, pin)
              ) : (
                <StatusMark kind={pin.state === 1 ? 'good' : 'idle'}>{stateWords(t, pin)}</StatusMark>
              ),
          },
          ...(canSwitch
            ? [
                {
                  key: 'switch',
                  title: t('devices.io.switch'),
                  hidesTitle: true,
                  render: ({ name, direction, state }: Pin) => {
                    if (direction !== 'out') return null;
                    const next = state === 1 ? 'off' : 'on';
                    return (
                      <Button
                        size="small"
                        icon="power"
                        aria-label={`${name}: ${t(`devices.io.switch_${next}`)}`}
                        onClick={() => switchOutput(device, name, next, `${name}: ${t(`devices.io.${next}`)}`)}
                      >
                        {t(`devices.io.switch_${next}`)}
                      </Button>
                    );
                  },
                },
              ]
            : []),
        ]}
      />
      <History device={device} details={details} />
    </div>
  );
}
