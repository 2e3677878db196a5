import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, Card, ErrorState, Skeleton, StatusMark } from '../../ui/index.ts';
import { imageUrl } from './dashboards/image-url.ts';
import { SitePlanEditor, type Plan } from './SitePlanEditor.tsx';
import { statusKinds, statusName } from './status.ts';
import styles from './site-plan.module.css';

const AGAIN_MS = 30_000;

/** The plan of a floor of a site, with the devices on it and how they are. */
export function SitePlan({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const { query } = useCustom<Plan, ApiError>({
    url: `/sites/${id}/plan`,
    method: 'get',
    queryOptions: { refetchInterval: AGAIN_MS },
    errorNotification: false,
  });
  const plan = query.data?.data;
  if (query.error && !plan) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!plan) return <Skeleton height={120} />;
  if (isEditing)
    return (
      <SitePlanEditor
        siteId={id}
        plan={plan}
        onEnd={() => {
          setEditing(false);
          void query.refetch();
        }}
      />
    );
  return (
    <Card
      title={t('sites.plan')}
      extra={
        can('update_sites') ? (
          <Button size="small" icon="pencil" onClick={() => setEditing(true)}>
            {t('sites.plan.edit')}
          </Button>
        ) : null
      }
    >
      {plan.image_id === null ? (
        <p className={styles.muted}>{t('sites.plan.none')}</p>
      ) : (
        <div className={styles.frame}>
          <div className={styles.plan}>
            <img src={imageUrl(plan.image_id)} alt={t('sites.plan')} />
            {plan.spots.map(({ device_id: device, x, y, name, status }) => (
              <span key={device} className={styles.spot} style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }}>
                <StatusMark kind={statusKinds[statusName(status)]}>
                  <Link to={`/devices/${device}`}>{name}</Link>{' '}
                  <span className="visually-hidden">{t(`devices.status.${statusName(status)}`)}</span>
                </StatusMark>
              </span>
            ))}
          </div>
        </div>
      )}
    </Card>
  );
}
