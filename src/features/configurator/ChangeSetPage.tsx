import { useCustom, useCustomMutation, useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { ChangeSet } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Card, IconButton, PageError, PageHeader, RelativeTime, Skeleton, SmallTable, StatusMark, type StatusKind } from '../../ui/index.ts'; // prettier-ignore
import styles from './configurator.module.css';
import { DeviceChangesTable, type DeviceChanges } from './DeviceChangesTable.tsx';

interface Edit {
  number: number;
  user_name: string;
  created_at: string;
  devices_count: number;
  paths: string[];
}
interface Edits {
  edits: Edit[];
  devices: DeviceChanges[];
  hidden_devices: number;
  fault: string | null;
  asks_review: boolean;
}

const MARKS: Record<ChangeSet['state'], StatusKind> = { draft: 'idle', in_review: 'warn', approved: 'info', applied: 'good', undone: 'idle' }; // prettier-ignore

/** A change set: its edits, what they change on each device, and its next step. */
export default function ChangeSetPage({ id }: { id: number }) {
  const t = useT();
  const { query } = useOne<ChangeSet, ApiError>({ resource: 'change-sets', id, errorNotification: false });
  const path = `/devices/configurator/change-sets/${id}/edits`;
  const edits = useCustom<Edits, ApiError>({ url: path, method: 'get', errorNotification: false }).query;
  const { mutateAsync } = useCustomMutation();
  const set = query.data?.data;
  const content = edits.data?.data;
  const error = query.error ?? edits.error;
  const reload = (): void => {
    void query.refetch();
    void edits.refetch();
  };
  if (error) return <PageError error={error} onRetry={reload} action={t('common.load')} item={t('entities.change_set')} />;
  if (!set || !content) return <Skeleton height={320} />;
  const remove = async (number: number): Promise<void> => {
    try {
      await mutateAsync({ url: `${path}/${number}`, method: 'delete', values: {}, errorNotification: false });
      reload();
    } catch (failure) {
      toasts.error(failureMessage(failure, { fallback: t('configurator.set.not_added') }));
    }
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={set.name}
        subtitle={
          <>
            <StatusMark kind={MARKS[set.state]}>{t(`values.change_set.state.${set.state}`)}</StatusMark> {set.description}
          </>
        }
        breadcrumb={[
          <Link key="all" to="/change-sets">
            {t('resources.change-sets.title')}
          </Link>,
        ]}
        actions={<PageActions resource="change-sets" row={{ ...set }} onDone={reload} />}
      />
      {set.review_note ? (
        <Banner kind="info">{t('configurator.set.note', { name: set.reviewer_name, note: set.review_note })}</Banner>
      ) : null}
      {content.asks_review && set.state === 'draft' ? <Banner kind="info">{t('configurator.set.review_needed')}</Banner> : null}
      {content.fault ? <Banner kind="warn">{content.fault}</Banner> : null}
      <Card title={t('configurator.set.edits')}>
        {content.edits.length === 0 ? (
          <p className={styles.muted}>{t('configurator.set.no_edits')}</p>
        ) : (
          <div className={styles.scroll}>
            <SmallTable<Edit>
              className={styles.grid}
              label={t('configurator.set.edits')}
              rows={content.edits}
              keyOf={({ number }) => number}
              columns={[
                { key: 'number', title: '#', render: ({ number }) => number },
                { key: 'paths', title: t('configurator.set.sections'), render: ({ paths }) => paths.join(', ') },
                { key: 'devices', title: t('resources.devices.title'), render: ({ devices_count: count }) => count },
                { key: 'user', title: t('configurator.set.by'), render: ({ user_name: name }) => name },
                { key: 'at', title: t('fields.created_at'), render: ({ created_at: time }) => <RelativeTime time={time} saysAgo /> },
                {
                  key: 'remove',
                  title: t('common.remove'),
                  hidesTitle: true,
                  render: ({ number }) =>
                    set.state === 'draft' ? (
                      <IconButton
                        icon="trash-2"
                        size="small"
                        label={t('configurator.set.remove_edit', { number })}
                        onClick={() => void remove(number)}
                      />
                    ) : null,
                },
              ]}
            />
          </div>
        )}
        {content.hidden_devices > 0 ? (
          <p className={styles.muted}>{t('configurator.set.hidden', { count: content.hidden_devices })}</p>
        ) : null}
      </Card>
      <Card title={t(set.applied_at === null ? 'configurator.what_changes' : 'configurator.set.changed')}>
        {content.devices.every(({ changes }) => changes.length === 0) ? (
          <p className={styles.muted}>{t('configurator.unchanged')}</p>
        ) : (
          <DeviceChangesTable devices={content.devices} label={t('configurator.what_changes')} />
        )}
      </Card>
    </div>
  );
}
