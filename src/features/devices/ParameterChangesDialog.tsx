import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { DAY, formatTime, formatUtc, SECOND } from '../../kernel/time/index.ts';
import { Button, ErrorState, Skeleton, SmallTable } from '../../ui/index.ts';
import details from './details.module.css';
import type { States } from './StateBars.tsx';
import styles from './devices.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'devices.parameter': { props: { deviceId: number; parameter: string; name: string }; result: undefined };
  }
}

const DAYS = 30;
type Span = States['spans'][number];

/** When a text of a device changed in the last 30 days, and what it was from then on; newest first. */
const ParameterChangesDialog: DialogComponent<'devices.parameter'> = ({ dialog, deviceId, parameter, name }) => {
  const t = useT();
  const [openedAt] = useState(() => Date.now());
  const { query } = useCustom<{ states: States[] }, ApiError>({
    url: `/devices/${deviceId}/series`,
    method: 'get',
    config: { query: { states: parameter, start_date: formatUtc(openedAt - DAYS * DAY, 'YYYY-MM-DD') } },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const spans = query.data?.data.states[0]?.spans.toReversed();
  return (
    <DialogWindow
      dialog={dialog}
      title={t('devices.parameters.changes', { name })}
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!spans && !error ? <Skeleton height={120} /> : null}
      {spans?.length === 0 ? <p className={styles.muted}>{t('devices.parameters.none')}</p> : null}
      {spans && spans.length > 0 ? (
        <SmallTable
          className={details.table}
          label={t('devices.parameters.changes', { name })}
          rows={spans}
          keyOf={([from]) => String(from)}
          columns={[
            { key: 'from', title: t('devices.states.from'), render: ([from]: Span) => formatTime(from * SECOND, 'YYYY-MM-DD HH:mm:ss') },
            { key: 'value', title: t('devices.states.value'), render: ([, , value]: Span) => value },
          ]}
        />
      ) : null}
    </DialogWindow>
  );
};
export default ParameterChangesDialog;
