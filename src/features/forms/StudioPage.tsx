import { useCustom } from '@refinedev/core';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { subscribeAddedForms } from '../../engine/form/added-forms.ts';
import { saveFile } from '../../engine/actions/save-file.ts';
import { helpAddress } from '../../kernel/help.ts';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, EmptyState, ErrorState, PageHeader, SearchInput, Segmented, Skeleton } from '../../ui/index.ts';
import { askForNewForm } from './ask-for-id.ts';
import { FormsTable } from './FormsTable.tsx';
import { ImportButton } from './ImportButton.tsx';
import { studio, type FormSummary } from './studio-api.ts';
import styles from './studio.module.css';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

const ORIGINS = ['added', 'shipped', 'all'] as const;
type Origin = (typeof ORIGINS)[number];

/** `/forms`: every form of this installation, with its health, and the ways into the studio (docs/checks.md G1). Those that were added come first. */
export default function StudioPage() {
  const t = useT();
  const text = useText();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Origin>();
  const { query } = useCustom<FormSummary[], ApiError>({ url: '/forms', method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const data = query.data?.data;
  // @NOTE By the event, not by what the added forms are: a broken file leaves those as they were.
  useEffect(() => subscribeAddedForms(() => void refetch()), [refetch]);

  const origin = chosen ?? (data?.some((form) => form.origin === 'added') ? 'added' : 'all');
  const ofOrigin = data?.filter((form) => origin === 'all' || form.origin === origin);
  const rows = ofOrigin?.filter((form) => includesText(`${form.id} ${text(form.title)}`, search));

  const handleNew = async () => {
    const asked = await askForNewForm(data ?? []);
    if (asked) void navigate(`/forms/edit/${asked.id}?kind=${asked.kind}`);
  };
  const handleExport = async () => {
    try {
      const { blob, fileName } = await studio.download();
      saveFile(blob, fileName);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure));
    }
  };
  const newButton = (
    <Button variant="primary" icon="plus" onClick={() => void handleNew()}>
      {t('studio.new')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('studio.title')}
        subtitle={rows ? t('studio.count', { count: rows.length }) : undefined}
        help={{ address: helpAddress('forms') ?? '/help', label: t('dialogs.help_of', { title: t('studio.title') }) }}
        actions={
          <>
            <Button icon="download" onClick={() => void handleExport()}>
              {t('studio.export')}
            </Button>
            <ImportButton onDone={() => void refetch()} />
            {newButton}
          </>
        }
      />
      <Card isFlush>
        <div className={styles.tools}>
          <SearchInput label={t('studio.search')} value={search} onChange={setSearch} />
          <Segmented<Origin>
            label={t('studio.columns.origin')}
            value={origin}
            options={ORIGINS.map((value) => ({ value, label: t(`studio.origin.${value}`) }))}
            onChange={setChosen}
          />
        </div>
        {ofOrigin?.length === 0 ? (
          <EmptyState icon="file" title={t('studio.none_added')} text={t('studio.none_added_hint')} actions={newButton} />
        ) : (
          <Rows rows={rows} error={error} onRetry={() => void refetch()} onForget={() => setSearch('')} />
        )}
      </Card>
    </>
  );
}

interface RowsProps {
  rows: FormSummary[] | undefined;
  error: unknown;
  onRetry(): void;
  onForget(): void;
}

function Rows({ rows, error, onRetry, onForget }: RowsProps) {
  const t = useT();
  if (rows && rows.length > 0) return <FormsTable rows={rows} />;
  if (error) return <ErrorState error={error} onRetry={onRetry} />;
  if (!rows)
    return (
      <div className={styles.loading} aria-busy="true">
        <Skeleton height={220} />
      </div>
    );
  return (
    <EmptyState icon="search" title={t('studio.none_found')} actions={<Button onClick={onForget}>{t('common.clearSearch')}</Button>} />
  );
}
