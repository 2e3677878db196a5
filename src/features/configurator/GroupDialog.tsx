import { useCustom } from '@refinedev/core';
import { useState, type ReactNode } from 'react';
import { DialogWindow, openDialog, type DialogComponent } from '../../engine/dialogs/index.ts';
import { JsonView } from '../../engine/json/JsonView.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { Button, EmptyState, ErrorState, RelativeTime, Skeleton, SmallTable, Tabs } from '../../ui/index.ts';
import styles from './configurator.module.css';
import type { ConfiguredDevice } from './values.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'configurator.group': { props: { devices: ConfiguredDevice[] }; result: undefined };
  }
}

interface GroupJob {
  job_id: number;
  action_name: string;
  states: Record<string, number>;
  created_at: string;
}

interface DeviceLog {
  request_id: number;
  action_name: string;
  request_message: string;
  response_message: string;
  request_state: string;
  execution_duration: number | null;
  created_at: string;
}

/** What was read and changed on the chosen devices: by job, by device, and the data that came back. */
const GroupDialog: DialogComponent<'configurator.group'> = ({ dialog, devices }) => {
  const t = useT();
  const [tab, setTab] = useState('status');
  const [shown, setShown] = useState<{ device: ConfiguredDevice; part: 'logs' | 'data' }>();
  const show = (device: ConfiguredDevice, part: 'logs' | 'data'): void => setShown({ device, part });
  return (
    <DialogWindow
      dialog={dialog}
      title={shown ? shown.device.name : t('configurator.group.title')}
      subtitle={t(shown ? `configurator.group.${shown.part}` : 'configurator.chosen', { count: devices.length })}
      size="large"
      canFullscreen
      canMinimize
      footer={
        <>
          {shown ? <Button onClick={() => setShown(undefined)}>{t('configurator.group.back')}</Button> : null}
          <Button onClick={() => dialog.close()}>{t('dialogs.close')}</Button>
        </>
      }
    >
      {shown?.part === 'data' ? (
        <JsonView value={shown.device.settings} label={t('configurator.group.data')} fileName={`settings-${shown.device.id}`} />
      ) : null}
      {shown?.part === 'logs' ? <DeviceLogs id={shown.device.id} /> : null}
      {shown ? null : (
        <Tabs
          active={tab}
          onChange={setTab}
          tabs={[
            { key: 'status', title: t('configurator.group.status'), content: <Status devices={devices} onShow={show} /> },
            { key: 'jobs', title: t('configurator.group.group_logs'), content: <GroupJobs ids={devices.map(({ id }) => id)} /> },
          ]}
        />
      )}
    </DialogWindow>
  );
};
export default GroupDialog;

function useWords() {
  const t = useT();
  return {
    action: (name: string): string => (hasText(`values.job.kind.${name}`) ? t(`values.job.kind.${name}`) : name),
    state: (name: string): string => t(`values.job_target.state.${name}`),
  };
}

function Status({ devices, onShow }: { devices: ConfiguredDevice[]; onShow: (device: ConfiguredDevice, part: 'logs' | 'data') => void }) {
  const t = useT();
  const button = (device: ConfiguredDevice, part: 'logs' | 'data', title: string): ReactNode => (
    <Button variant="link" aria-label={`${title}: ${device.name}`} onClick={() => onShow(device, part)}>
      {title}
    </Button>
  );
  return (
    <div className={styles.scroll}>
      <SmallTable
        className={styles.grid}
        label={t('configurator.group.status')}
        rows={devices}
        keyOf={({ id }) => id}
        hasRowNames
        columns={[
          { key: 'name', title: t('fields.name'), render: ({ name }) => name },
          { key: 'serial', title: t('fields.serial'), render: ({ serial }) => serial ?? '–' },
          {
            key: 'read',
            title: t('configurator.group.read'),
            render: ({ read_at: at }) => (at === null ? t('configurator.group.never') : <RelativeTime time={at} saysAgo />),
          },
          {
            key: 'count',
            title: t('configurator.sections'),
            render: ({ settings }) => (settings ? String(Object.values(settings).flat().length) : '–'),
          },
          { key: 'logs', title: t('configurator.group.logs'), render: (device) => button(device, 'logs', t('configurator.group.logs')) },
          {
            key: 'data',
            title: t('configurator.group.data'),
            render: (device) => (device.settings ? button(device, 'data', t('configurator.group.data')) : '–'),
          },
        ]}
      />
    </div>
  );
}

function GroupJobs({ ids }: { ids: number[] }) {
  const t = useT();
  const words = useWords();
  const { query } = useCustom<GroupJob[], ApiError>({
    url: '/devices/configurator/logs',
    method: 'post',
    config: { payload: { device_id: ids } },
    queryOptions: { staleTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const jobs = query.data?.data;
  if (!jobs) return <Skeleton height={160} />;
  if (jobs.length === 0) return <EmptyState icon="list-checks" title={t('configurator.group.no_logs')} />;
  return (
    <div className={styles.scroll}>
      <SmallTable
        className={styles.grid}
        label={t('configurator.group.group_logs')}
        rows={jobs}
        keyOf={({ job_id: id }) => id}
        columns={[
          {
            key: 'action',
            title: t('configurator.group.action'),
            render: ({ job_id: jobId, action_name: name }) => (
              <Button variant="link" onClick={() => void openDialog('job.status', { jobId }, { id: `job-${jobId}` })}>
                {words.action(name)}
              </Button>
            ),
          },
          {
            key: 'states',
            title: t('configurator.group.devices'),
            render: ({ states }) =>
              Object.entries(states)
                .map(([state, count]) => `${words.state(state)}: ${count}`)
                .join(' · '),
          },
          { key: 'at', title: t('configurator.group.when'), render: ({ created_at: at }) => <RelativeTime time={at} saysAgo /> },
        ]}
      />
    </div>
  );
}

function DeviceLogs({ id }: { id: number }) {
  const t = useT();
  const words = useWords();
  const { query } = useCustom<DeviceLog[], ApiError>({
    url: `/devices/${id}/configurator/logs`,
    method: 'get',
    queryOptions: { staleTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const logs = query.data?.data;
  if (!logs) return <Skeleton height={160} />;
  if (logs.length === 0) return <EmptyState icon="list-checks" title={t('configurator.group.no_logs')} />;
  return (
    <div className={styles.scroll}>
      <SmallTable
        className={styles.grid}
        label={t('configurator.group.logs')}
        rows={logs}
        keyOf={({ request_id: key }) => key}
        columns={[
          { key: 'action', title: t('configurator.group.action'), render: ({ action_name: name }) => words.action(name) },
          { key: 'state', title: t('configurator.group.state'), render: ({ request_state: state }) => words.state(state) },
          { key: 'asked', title: t('configurator.group.asked'), render: (log) => <Asked log={log} /> },
          { key: 'answer', title: t('configurator.group.answer'), render: ({ response_message: text }) => text || '–' },
          {
            key: 'seconds',
            title: t('configurator.group.seconds'),
            render: ({ execution_duration: seconds }) => (seconds === null ? '–' : String(Math.round(seconds * 10) / 10)),
          },
          { key: 'at', title: t('configurator.group.when'), render: ({ created_at: at }) => <RelativeTime time={at} saysAgo /> },
        ]}
      />
    </div>
  );
}

interface AskedChange {
  item: string;
  option: string;
  after: string | string[] | null;
}

/** What a change set on the device; other requests have a name or nothing. */
function Asked({ log: { request_message: text } }: { log: DeviceLog }) {
  if (!text.startsWith('[')) return text || '–';
  // The server writes it from the differences that it planned.
  const changes = JSON.parse(text) as AskedChange[];
  return (
    <ul className={styles.differences}>
      {changes.map(({ item, option, after }) => (
        <li key={`${item} ${option}`}>
          {item}.{option} = {[after ?? '–'].flat().join(', ')}
        </li>
      ))}
    </ul>
  );
}
