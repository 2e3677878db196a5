import { useCustom } from '@refinedev/core';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogHandle } from '../../engine/dialogs/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { keptFor } from '../../kernel/queries.ts';
import { useUser } from '../../kernel/session/index.ts';
import { buyLinkOf, useTheme } from '../../kernel/theme/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { Button, EmptyState, Skeleton } from '../../ui/index.ts';
import styles from './ResourceSummary.module.css';

// docs/behaviour.md section 9, Kept answers. Jobs spend resources on devices.
const KEPT = keptFor(10 * SECOND, 'credits', 'devices', 'jobs');

interface Summary {
  credits: { left: { credit_type_id: number; text_key: string; credits_left: number }[] };
  /** Bytes. */
  remaining_data: number;
  /** `YYYY-MM-DD`; null: not within a year; absent: too little is known. */
  data_used_up_on?: string | null;
}

function usedUpWords(t: Translate, day: string | null | undefined): string {
  if (day === undefined) return t('shell.dataTooLittle');
  return day === null ? t('shell.dataLasts') : t('shell.dataUsedUp', { date: day });
}

/** What is left of each type of resource in all companies that the user sees. */
export default function ResourceSummary({ dialog }: { dialog: DialogHandle<undefined> }) {
  const t = useT();
  const theme = useTheme();
  const user = useUser();
  const buyLink = buyLinkOf(theme, user);
  const { query } = useCustom<Summary, ApiError>({
    url: '/credits/summary',
    method: 'get',
    meta: { survivesRouteChange: true },
    queryOptions: KEPT,
    errorNotification: false,
  });
  const { error, isPending } = query;
  const data = query.data?.data;
  const left = data?.credits.left.filter((entry) => entry.credits_left !== 0) ?? [];
  return (
    <DialogWindow
      dialog={dialog}
      title={t('shell.resourceSummary')}
      subtitle={t('shell.resourceSummaryText')}
      size="small"
      footer={
        <Button to="/resources" onClick={() => dialog.close()}>
          {t('shell.allResources')}
        </Button>
      }
    >
      {isPending ? <Skeleton height={60} /> : null}
      {error ? <p role="alert">{failureMessage(error)}</p> : null}
      {data && left.length === 0 && data.remaining_data === 0 ? <EmptyState icon="coins" title={t('shell.noResources')} /> : null}
      <dl className={styles.list}>
        {left.map((entry) => (
          <div key={entry.credit_type_id} className={styles.row}>
            <dt>{t(entry.text_key)}</dt>
            <dd>{formatNumber(entry.credits_left)}</dd>
          </div>
        ))}
        {data && data.remaining_data > 0 ? (
          <div className={styles.row}>
            <dt>{t('shell.companyData')}</dt>
            <dd>
              {formatBytes(data.remaining_data)}
              <small className={styles.note}>{usedUpWords(t, data.data_used_up_on)}</small>
            </dd>
          </div>
        ) : null}
      </dl>
      {buyLink ? (
        <p className={styles.buy}>
          <a href={buyLink} target="_blank" rel="noopener noreferrer">
            {t('shell.buy')}
          </a>
          {theme?.buy_notice ? <span>{theme.buy_notice}</span> : null}
        </p>
      ) : null}
    </DialogWindow>
  );
}
