import { useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { Tag as TagRecord } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { HistoryPanel } from '../../engine/history/HistoryPanel.tsx';
import { ReadingsChart } from '../../engine/readings/ReadingsChart.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, ExactTime, PageError, PageHeader, Skeleton, Tag } from '../../ui/index.ts';
import { ActionsCard } from './ActionsCard.tsx';
import { RuleCard } from './RuleCard.tsx';
import { StatusChart } from './StatusChart.tsx';
import styles from './tags.module.css';

/** One tag: what it is, which devices carry it, and what was done to it. */
export default function TagPage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useOne<TagRecord, ApiError>({ resource: 'tags', id, liveMode: 'auto', errorNotification: false });
  const { error, refetch } = query;
  const tag = query.data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('entities.tag')} />;
  if (!tag) return <Skeleton width={260} height={28} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={tag.name}
        breadcrumb={[
          <Link key="above" to="/tags">
            {t('resources.tags.title')}
          </Link>,
        ]}
        actions={<PageActions resource="tags" row={{ ...tag }} onDone={() => void refetch()} />}
      />
      <div className={styles.grid}>
        <div className={styles.column}>
          <Card title={t('tags.about')}>
            <dl className={styles.facts}>
              <dt>{t('entities.tag')}</dt>
              <dd>
                <Tag color={tag.color}>{tag.name}</Tag>
              </dd>
              <dt>{t('fields.company_name')}</dt>
              <dd>{tag.company_name}</dd>
              {tag.description ? (
                <>
                  <dt>{t('fields.description')}</dt>
                  <dd>{tag.description}</dd>
                </>
              ) : null}
              <dt>{t('resources.devices.title')}</dt>
              <dd>
                <Link to={`/management/devices?tag_id=${id}`}>{t('tags.devices', { count: tag.devices_count })}</Link>
              </dd>
              <dt>{t('fields.created_at')}</dt>
              <dd>
                <ExactTime time={tag.created_at} />
              </dd>
            </dl>
          </Card>
          <RuleCard tagId={id} />
          {can('view_devices') ? <StatusChart tagId={id} /> : null}
        </div>
        <div className={styles.column}>
          {can('view_device_actions') ? <ActionsCard tagId={id} /> : null}
          {can('view_devices') ? <ReadingsChart path={`/tags/${id}/series`} /> : null}
          {can('view_history') ? <HistoryPanel entity="tag" entityId={id} /> : null}
        </div>
      </div>
    </div>
  );
}
