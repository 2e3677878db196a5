import { useCustom } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FormPreviewProps } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { ErrorState, Skeleton } from '../../ui/index.ts';
import styles from './mail.module.css';

interface Preview {
  subject: string;
  text: string;
  variables: { name: string; sample: string; is_required: boolean }[];
}

const PAUSE_MS = 300;

/** A preview of a mail with these words, and the variables that it may use. The server fills it in, as it will when it sends one. */
export default function MailPreview({ id, data }: Pick<FormPreviewProps, 'id' | 'data'>) {
  const t = useT();
  const subject = useSettled(String(data['subject'] ?? ''));
  const text = useSettled(String(data['text'] ?? ''));
  const { query } = useCustom<Preview, ApiError>({
    url: `/email-templates/${id}/preview`,
    method: 'post',
    config: { payload: { subject, text } },
    queryOptions: { placeholderData: keepPreviousData },
    errorNotification: false,
  });
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={160} />;
  return (
    <section className={styles.body} aria-label={t('mail.template.preview')}>
      <h3 className={styles.heading}>{t('mail.template.preview')}</h3>
      <div className={styles.text}>
        <strong>{query.data.data.subject}</strong>
        {'\n\n'}
        {query.data.data.text}
      </div>
      <h3 className={styles.heading}>{t('mail.template.variables')}</h3>
      <ul className={styles.variables}>
        {query.data.data.variables.map(({ name, sample, is_required }) => (
          <li key={name}>
            <code>{`{${name}}`}</code> {t(`mail.template.variable.${name}`)}
            {is_required ? ` (${t('mail.template.required')})` : ''}
            <span className={styles.sample}>{sample}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
