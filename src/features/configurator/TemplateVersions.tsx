import { useCustom } from '@refinedev/core';
import { useState } from 'react';
import type { ConfigurationTemplate } from '../../../schemas/_generated/contract.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, Code, ExactTime, Skeleton, SmallTable } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { changesBetween } from './template-edits.ts';

interface Revision {
  revision: number;
  version: string;
  template: TemplateCall[];
  user_name: string;
  created_at: string;
}

/** The versions of a template, what each changed, and the way back to one. */
export function TemplateVersions({ template, onChanged }: { template: ConfigurationTemplate; onChanged: () => void }) {
  const t = useT();
  const [chosen, setChosen] = useState(template.revision);
  const { query } = useCustom<Revision[], ApiError>({
    url: `/devices/configurator/templates/${template.id}/revisions`,
    method: 'get',
    queryOptions: { staleTime: 0 },
    errorNotification: false,
  });
  const revisions = query.data?.data;
  if (!revisions) return <Skeleton height={200} />;
  const shown = revisions.find(({ revision }) => revision === chosen);
  const before = revisions.find(({ revision }) => revision < chosen);
  const changes = changesBetween(before?.template ?? [], shown?.template ?? []);
  const restore = async (): Promise<void> => {
    if (!shown) return;
    try {
      await dataProvider.custom({
        url: `/devices/configurator/templates/${template.id}/content`,
        method: 'put',
        payload: { revision: template.revision, version: shown.version, template: shown.template },
      });
      toasts.success(t('configurator.template_saved'));
      onChanged();
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.save_failed') }));
    }
  };
  return (
    <div className={styles.columns}>
      <Card title={t('configurator.versions')}>
        {revisions.map(({ revision, version, user_name, created_at }) => (
          <div key={revision} className={styles.revision}>
            <Button variant="ghost" aria-pressed={revision === chosen} onClick={() => setChosen(revision)}>
              {t('configurator.version', { version })}
            </Button>
            <span className={styles.muted}>
              <ExactTime time={created_at} /> · {user_name}
            </span>
          </div>
        ))}
      </Card>
      <Card title={t('configurator.changed_in', { version: shown?.version ?? '' })}>
        {changes.length === 0 ? (
          <p className={styles.muted}>{t('configurator.no_changes')}</p>
        ) : (
          <SmallTable
            label={t('configurator.changed_in', { version: shown?.version ?? '' })}
            className={styles.settings}
            rows={changes}
            keyOf={({ place, option }) => `${place} ${option}`}
            columns={[
              { key: 'place', title: t('configurator.section'), render: ({ place }) => <Code>{place}</Code> },
              { key: 'option', title: t('configurator.option'), render: ({ option }) => <Code>{option}</Code> },
              { key: 'before', title: t('configurator.before'), render: (row) => row.before },
              { key: 'after', title: t('configurator.after'), render: (row) => row.after },
            ]}
          />
        )}
        {chosen === template.revision ? null : (
          <div className={styles.buttons}>
            <Button icon="rotate-ccw" onClick={() => void restore()}>
              {t('configurator.restore_version')}
            </Button>
          </div>
        )}
      </Card>
    </div>
  );
}
