import { useCustom } from '@refinedev/core';
import { Link } from 'react-router';
import { openForm } from '../../engine/form/open-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, ErrorState, IconButton, Skeleton } from '../../ui/index.ts';
import styles from './tags.module.css';

interface TagAction {
  id: number;
  action: 'run' | 'reboot' | 'refresh' | 'firmware_upload' | 'config_upload' | 'execute_tasks_group';
  source_name: string | null;
  user_name: string;
}

/** What is done to a device when this tag is put on it, in order; with the way to what was done. */
export function ActionsCard({ tagId }: { tagId: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<TagAction[], ApiError>({ url: `/tags/${tagId}/actions`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  async function open(form: string, id: number): Promise<void> {
    if (await openForm(form, { record: { id } })) await refetch();
  }
  return (
    <Card title={t('tags.actions.title')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={60} /> : null}
      {data?.length === 0 ? <p className={styles.muted}>{t('tags.actions.none')}</p> : null}
      {data && data.length > 0 ? (
        <ol className={styles.actions}>
          {data.map((action) => {
            const name = t(`values.tag_run.action_name.${action.action}`);
            return (
              <li key={action.id}>
                <div className={styles.action}>
                  <strong>{name}</strong>
                  {action.source_name ? <code>{action.source_name}</code> : null}
                  <span className={styles.muted}>{t('tags.actions.as', { name: action.user_name })}</span>
                </div>
                {can('update_tags') ? (
                  <IconButton
                    icon="trash-2"
                    label={t('tags.actions.remove', { name })}
                    onClick={() => void open('tags/remove-action', action.id)}
                  />
                ) : null}
              </li>
            );
          })}
        </ol>
      ) : null}
      <div className={styles.tools}>
        {can('update_tags') && can('execute_device_actions') ? (
          <Button icon="plus" onClick={() => void open('tags/new-action', tagId)}>
            {t('tags.actions.add')}
          </Button>
        ) : null}
        <Link to={`/tags/runs?tag_id=${tagId}`}>{t('tags.actions.log')}</Link>
      </div>
    </Card>
  );
}
