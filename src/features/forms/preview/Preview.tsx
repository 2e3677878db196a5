import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { importForm } from '../../../engine/form/load-form.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { useCan } from '../../../kernel/session/index.ts';
import { Card, EmptyState, ErrorState, Spinner } from '../../../ui/index.ts';
import type { Judgement } from '../use-checked.ts';
import { PreviewForm } from './PreviewForm.tsx';
import { PreviewSettings } from './PreviewSettings.tsx';
import { START, useDevices, useRolePermissions, type PreviewOptions } from './preview-settings.ts';
import styles from './preview.module.css';

interface PreviewProps {
  good: Judgement['good'];
  /** The text has not been judged yet. */
  isWaiting: boolean;
  /** The text has mistakes since: what is drawn is the last one that was right. */
  isStale: boolean;
}

/** The form as others will see it, drawn by the form engine from a text that is not saved (docs/checks.md G4). It never sends anything. */
export function Preview({ good, isWaiting, isStale }: PreviewProps) {
  const t = useT();
  const can = useCan();
  const [options, setOptions] = useState<PreviewOptions>(START);
  const isForDevices = good?.form.submit.payload === 'devices';
  const permissions = useRolePermissions(options.role);
  const devices = useDevices(isForDevices);
  const { data, error, refetch } = useQuery({
    queryKey: ['form-draft', good?.form.id, good?.hash],
    enabled: good !== undefined,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    placeholderData: (before) => before,
    queryFn: async () => (good ? { module: await importForm({ id: good.form.id, hash: good.hash }), ...good } : null),
  });
  const device = options.device ?? devices[0]?.id;
  return (
    <Card title={t('studio.preview')} extra={isStale && data ? <span className={styles.quiet}>{t('studio.preview.stale')}</span> : null}>
      <PreviewSettings options={options} onChange={setOptions} form={data?.form} devices={devices} device={device} />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {isWaiting || (!data && !error && good) ? <Spinner /> : null}
      {!good && !isWaiting ? <EmptyState icon="file" title={t('studio.preview.nothing')} text={t('studio.preview.nothing_hint')} /> : null}
      {data ? (
        <PreviewForm
          key={`${data.hash} ${options.role} ${permissions?.length ?? 0}`}
          draft={data}
          options={options}
          device={device}
          can={permissions ? (permission) => permissions.includes(permission) : can}
        />
      ) : null}
    </Card>
  );
}
