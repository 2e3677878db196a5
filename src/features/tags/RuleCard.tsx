import { useCustom } from '@refinedev/core';
import { Link } from 'react-router';
import { openForm } from '../../engine/form/open-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, ErrorState, RelativeTime, Skeleton } from '../../ui/index.ts';
import styles from './tags.module.css';

/** Filters of the device list by name, who set them, and when devices were looked for last; nothing without a rule. */
type TagRule = Record<string, string | number> & { user_name?: string; checked_at?: string };

/** The rule that says which devices carry the tag, and the way to set it. */
export function RuleCard({ tagId }: { tagId: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<TagRule, ApiError>({ url: `/tags/${tagId}/rule`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  const open = async (form: string): Promise<void> => {
    if (await openForm(form, { record: { id: tagId } })) await refetch();
  };
  const { user_name: userName, checked_at: checkedAt, ...filters } = data ?? {};
  const search = new URLSearchParams(Object.entries(filters).map(([key, value]) => [key, String(value)])).toString();
  return (
    <Card title={t('tags.rule.title')}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={40} /> : null}
      {data && userName === undefined ? <p className={styles.muted}>{t('tags.rule.none')}</p> : null}
      {data && userName !== undefined ? (
        <>
          <p>
            <Link to={`/management/devices?${search}`}>{t('tags.rule.matching')}</Link>
          </p>
          <p className={styles.muted}>
            {t('tags.rule.set_by', { name: userName })} · {t('tags.rule.checked')} <RelativeTime time={checkedAt} saysAgo />
          </p>
        </>
      ) : null}
      {data && can('update_tags') ? (
        <div className={styles.tools}>
          <Button icon="list-checks" onClick={() => void open('tags/rule')}>
            {t('actions.tags.rule')}
          </Button>
          {userName === undefined ? null : (
            <Button variant="ghost" onClick={() => void open('tags/remove-rule')}>
              {t('tags.rule.remove')}
            </Button>
          )}
        </div>
      ) : null}
    </Card>
  );
}
