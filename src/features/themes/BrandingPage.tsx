import { useSelect } from '@refinedev/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { loadForm, loadRecord } from '../../engine/form/load-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { EmptyState, ErrorState, Select, PageHeader, Spinner } from '../../ui/index.ts';
import { BrandingForm } from './BrandingForm.tsx';
import styles from './themes.module.css';

interface Company {
  id: number;
  name: string;
}

/** `/branding?company_id=7`: the form of a top-level company's theme beside what it will look like. */
export default function BrandingPage() {
  const t = useT();
  const labelId = useId();
  const [search, setSearch] = useSearchParams();
  const { query, options } = useSelect<Company, ApiError>({
    resource: 'companies',
    optionLabel: 'name',
    pagination: { mode: 'off' },
    sorters: [{ field: 'name', order: 'asc' }],
    filters: [{ field: 'level', operator: 'eq', value: 1 }],
    errorNotification: false,
  });
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Spinner size={24} />;
  const chosen = query.data.data.find(({ id }) => String(id) === search.get('company_id')) ?? query.data.data[0];
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('themes.title')}
        subtitle={options.length === 1 ? chosen?.name : undefined}
        actions={
          options.length > 1 ? (
            <label className={styles.company}>
              <span id={labelId}>{t('themes.company')}</span>
              <Select
                aria-labelledby={labelId}
                value={chosen?.id}
                choices={options}
                onChange={(id) => setSearch({ company_id: String(id) })}
              />
            </label>
          ) : undefined
        }
      />
      {chosen ? (
        <CompanyBranding key={chosen.id} id={chosen.id} />
      ) : (
        <EmptyState icon="palette" title={t('themes.none')} text={t('themes.none_text')} />
      )}
    </div>
  );
}

function CompanyBranding({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['themes', id],
    retry: false,
    // What is being filled in must not be loaded again under the user's hands.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const module = await loadForm('themes/edit');
      return { module, record: await loadRecord(module, id, signal) };
    },
  });
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Spinner size={24} />;
  return <BrandingForm key={query.dataUpdatedAt} id={id} {...query.data} onSaved={() => void query.refetch()} />;
}
