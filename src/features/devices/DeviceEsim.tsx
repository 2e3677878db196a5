import { useCustom } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { Device, DeviceEsim as Esim, EsimProfile } from '../../../schemas/_generated/contract.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { openForm } from '../../engine/form/index.ts';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, ErrorState, ExactTime, Skeleton, SmallTable, StatusMark } from '../../ui/index.ts';
import styles from './devices.module.css';

const FORMS = { enable: 'esim/enable', disable: 'esim/disable', rename: 'esim/rename', remove: 'esim/remove' } as const;

/** The eSIM profiles of a device as it said them last; each change is a job, after which they are read again. */
export function DeviceEsim({ device }: { device: Device }) {
  const t = useT();
  const { query } = useCustom<Esim, ApiError>({ url: `/devices/${device.id}/esim`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  const [channel, setChannel] = useState<string>();
  // The new list is shown even when the window of the job was closed before its end.
  useEffect(() => {
    if (channel === undefined) return undefined;
    return live.follow(channel, {
      onEvent: (event) => (event === 'JobProgress' ? void refetch() : undefined),
      onFollowed: () => void refetch(),
    });
  }, [channel, refetch]);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('devices.tabs.esim')} />;
  if (!data) return <Skeleton height={260} />;
  if (!data.is_supported) return <Banner kind="info">{t('esim.unsupported')}</Banner>;
  const start = async (form: string, initial: Record<string, string> = {}): Promise<void> => {
    const result = await openForm(form, { record: { id: device.id }, initial });
    if (result) setChannel(result.meta.channel);
  };
  const read = async (): Promise<void> => {
    try {
      const answer = await dataProvider.custom({ url: `/devices/${device.id}/esim/refresh`, method: 'post' });
      openJobOf({ data: null, meta: answer.meta });
      setChannel(answer.meta.channel);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('esim.failed') }));
    }
  };
  return (
    <Card
      title={t('esim.title')}
      extra={
        <span className={styles.esimActions}>
          <Button icon="refresh-cw" onClick={() => void read()}>
            {t('esim.read')}
          </Button>
          <Button icon="download" onClick={() => void start('esim/download')}>
            {t('esim.download')}
          </Button>
        </span>
      }
    >
      {data.read_at === null ? (
        <p className={styles.muted}>{t('esim.never')}</p>
      ) : (
        <p className={styles.muted}>
          {t('esim.as_of')} <ExactTime time={data.read_at} />
          {data.eid === null ? null : ` · ${t('fields.eid')} ${data.eid}`}
        </p>
      )}
      {data.read_at !== null && data.profiles.length === 0 ? <p className={styles.muted}>{t('esim.none')}</p> : null}
      {data.profiles.length > 0 ? <ProfileTable profiles={data.profiles} onChange={(form, iccid) => void start(form, { iccid })} /> : null}
    </Card>
  );
}

function ProfileTable({ profiles, onChange }: { profiles: readonly EsimProfile[]; onChange: (form: string, iccid: string) => void }) {
  const t = useT();
  const deedsOf = ({ state }: EsimProfile): (keyof typeof FORMS)[] =>
    state === 'enabled' ? ['disable', 'rename'] : ['enable', 'rename', 'remove'];
  return (
    <SmallTable
      className={styles.numbers}
      label={t('esim.title')}
      rows={profiles}
      keyOf={({ iccid }) => iccid}
      hasRowNames
      columns={[
        { key: 'provider', title: t('fields.provider'), render: ({ provider, name, nickname }) => nickname ?? (provider || name) },
        { key: 'iccid', title: t('fields.iccid'), render: ({ iccid }) => iccid },
        {
          key: 'state',
          title: t('fields.state'),
          render: ({ state }) => (
            <StatusMark kind={state === 'enabled' ? 'good' : 'idle'}>{t(`values.esim_profile.state.${state}`)}</StatusMark>
          ),
        },
        {
          key: 'actions',
          title: t('esim.actions'),
          hidesTitle: true,
          render: (profile) => (
            <span className={styles.esimActions}>
              {deedsOf(profile).map((deed) => (
                <Button key={deed} variant="ghost" onClick={() => onChange(FORMS[deed], profile.iccid)}>
                  {t(`esim.${deed}`)}
                </Button>
              ))}
            </span>
          ),
        },
      ]}
    />
  );
}
