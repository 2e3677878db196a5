import { useCustom } from '@refinedev/core';
import type { FormPreviewProps } from '../../engine/form/FormPreview.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../../ui/index.ts';
import styles from './monitoring.module.css';

interface Named {
  count: number;
  names: string[];
}

interface Uses {
  device_count: number;
  answer_count: number;
  automations: Named;
  dashboards: Named;
  reports: Named;
}

/** What goes along when a monitoring template is removed. */
export default function RemovePreview({ id }: FormPreviewProps) {
  const t = useT();
  const { query } = useCustom<Uses, ApiError>({ url: `/data-collect/configs/${id}/uses`, method: 'get', errorNotification: false });
  const uses = query.data?.data;
  if (query.error) return null;
  if (!uses) return <Skeleton height={80} />;
  const used = (['automations', 'dashboards', 'reports'] as const).filter((kind) => uses[kind].count > 0);
  return (
    <div className={styles.preview} role="status">
      <strong>{t('monitoring.remove.title', { devices: uses.device_count, answers: uses.answer_count })}</strong>
      {used.length === 0 ? (
        <p>{t('monitoring.remove.unused')}</p>
      ) : (
        <ul>
          {used.map((kind) => (
            <li key={kind}>
              {t(`monitoring.remove.${kind}`, { names: uses[kind].names.join(', ') })}
              {uses[kind].count > uses[kind].names.length ? ' …' : ''}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
