import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAddedForms } from '../../engine/form/added-forms.ts';
import { saveFile } from '../../engine/actions/save-file.ts';
import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { askForId } from './ask-for-id.ts';
import { FormsTable } from './FormsTable.tsx';
import { ImportButton } from './ImportButton.tsx';
import { studio, type FormSummary } from './studio-api.ts';
import styles from './studio.module.css';

/** `/forms`: every form of this installation, with its health, and the ways into the studio (docs/checks.md G1). */
export default function StudioPage() {
  const t = useT();
  const text = useText();
  const navigate = useNavigate();
  const added = useAddedForms();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery<FormSummary[]>({
    // The list of added forms is loaded anew with each change of a file, and this one with it.
    queryKey: ['forms', added],
    placeholderData: (before) => before,
    retry: false,
    queryFn: ({ signal }) => studio.list(signal),
  });

  const wanted = search.toLocaleLowerCase();
  const rows = data?.filter((form) => `${form.id} ${text(form.title)}`.toLocaleLowerCase().includes(wanted));

  const handleNew = async () => {
    const id = await askForId(t('studio.new'), data ?? []);
    if (id !== undefined) void navigate(`/forms/edit/${id}`);
  };
  const handleExport = async () => {
    try {
      const { blob, fileName } = await studio.download();
      saveFile(blob, fileName);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure));
    }
  };
  return (
    <>
      <PageHeader
        title={t('studio.title')}
        subtitle={data ? t('studio.count', { count: data.length }) : undefined}
        actions={
          <>
            <Button icon="download" onClick={() => void handleExport()}>
              {t('studio.export')}
            </Button>
            <ImportButton onDone={() => void refetch()} />
            <Button variant="primary" icon="plus" onClick={() => void handleNew()}>
              {t('studio.new')}
            </Button>
          </>
        }
      />
      <Card isFlush>
        <div className={styles.tools}>
          <SearchInput label={t('studio.search')} value={search} onChange={setSearch} />
        </div>
        <Rows rows={rows} error={error} onRetry={() => void refetch()} onForget={() => setSearch('')} />
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
  // Forms ship with the console, so an empty list is always the search's.
  return (
    <EmptyState icon="search" title={t('studio.none_found')} actions={<Button onClick={onForget}>{t('common.clearSearch')}</Button>} />
  );
}
